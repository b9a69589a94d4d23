import { describe, expect, test } from 'bun:test'
import { createClientIp } from '../src/visitors/client-ip.ts'
import { openLocations } from '../src/visitors/locations.ts'
import { callerNetwork, networkOf } from '../src/visitors/network-of.ts'
import { readUserAgent } from '../src/visitors/user-agents.ts'
import { keyedVisitorHash } from '../src/visitors/visitor-hash.ts'
import { click, givenProgram } from './support/given.ts'
import { clickEventsOf } from './support/records.ts'
import { startTestService } from './support/service.ts'

describe('the client IP', () => {
  const cases: [string, string[], string | null, string | null, string | null][] = [
    ['is the socket’s', [], '198.51.100.7', null, '198.51.100.7'],
    ['ignores a header when no proxy is trusted', [], '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['ignores a header from a peer that is not trusted', ['10.0.0.1'], '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    [
      'is the right-most untrusted entry behind a trusted peer',
      ['10.0.0.0/8'],
      '10.0.0.1',
      '203.0.113.9',
      '203.0.113.9',
    ],
    ['ignores what the visitor put in front', ['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
    [
      'walks through several proxies',
      ['10.0.0.0/8'],
      '10.0.0.1',
      '1.2.3.4, 203.0.113.9, 10.0.0.3, 10.0.0.2',
      '203.0.113.9',
    ],
    ['is the proxy’s if a trusted proxy sends no header', ['10.0.0.1'], '10.0.0.1', null, '10.0.0.1'],
    ['stops at an entry that is not an address', ['10.0.0.1'], '10.0.0.1', '203.0.113.9, garbage', '10.0.0.1'],
    ['understands IPv4 in IPv6', ['127.0.0.1'], '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['understands IPv6 ranges, brackets and ports', ['2001:db8::/32'], '2001:db8::1', '[2a00::5]:443', '2a00::5'],
    ['understands a port after IPv4', ['127.0.0.1'], '127.0.0.1', '203.0.113.9:5555', '203.0.113.9'],
  ]
  for (const [name, trusted, peer, header, expected] of cases)
    test(name, () => expect(createClientIp(trusted)(peer, header)).toBe(expected))

  test('counts as its /64 in limits and review rules if it is IPv6', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2')
    expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8:0:0:ffff::1'))
    expect(networkOf('::1')).toBe('0:0:0:0')
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
    for (const mapped of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
      expect(networkOf(mapped)).toBe('192.0.2.1')
    expect(networkOf('64:ff9b::192.0.2.1')).toBe('64:ff9b:0:0')
    expect(callerNetwork('2001:db8::1')).toBe(networkOf('2001:db8::1'))
    expect(callerNetwork(null)).toBe('unknown')
  })
})

describe('country, device, browser and operating system', () => {
  test('the country is right for IPv4 and IPv6, and null for private addresses', async () => {
    const places = await openLocations(null)
    expect(places('8.8.8.8').country).toBe('US')
    expect(places('193.0.6.139').country).toBe('NL')
    expect(places('2001:4860:4860::8888').country).toBe('US')
    expect(places('2001:67c:2e8::1').country).toBe('NL')
    for (const ip of ['127.0.0.1', '10.1.2.3', '::1', null])
      expect(places(ip)).toEqual({ country: null, region: null, city: null })
  })

  const agents: [string, string | null, string | null, string | null][] = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
      'desktop',
      'Chrome',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
      'mobile',
      'Chrome',
      'Android',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'tablet',
      'Safari',
      'iOS',
    ],
    ['', null, null, null],
    ['\u0000', null, null, null],
  ]
  for (const [agent, device, browser, operatingSystem] of agents)
    test(`of "${agent.slice(0, 40)}"`, () => expect(readUserAgent(agent)).toEqual({ device, browser, operatingSystem }))
})

describe('the raw IP', () => {
  test('is hashed with a key that changes daily', () => {
    const hash = keyedVisitorHash('secret')
    const [monday, later, tuesday] = ['2026-06-01T00:00:00Z', '2026-06-01T23:59:59Z', '2026-06-02T00:00:00Z'].map(
      (time) => new Date(time),
    )
    expect(hash('192.0.2.1', monday as Date)).toBe(hash('192.0.2.1', later as Date))
    expect(hash('192.0.2.1', monday as Date)).not.toBe(hash('192.0.2.1', tuesday as Date))
    expect(hash('192.0.2.1', monday as Date)).not.toBe(hash('192.0.2.2', monday as Date))
    expect(keyedVisitorHash('other')('192.0.2.1', monday as Date)).not.toBe(hash('192.0.2.1', monday as Date))
  })

  test('is never stored; the country behind a trusted proxy is the visitor’s', async () => {
    const service = await startTestService({ trustedProxies: ['127.0.0.1'] })
    const { link } = await givenProgram(service)
    await click(service, { affiliate_url: link.url }, { 'x-forwarded-for': '1.2.3.4, 193.0.6.139' })
    const [event] = await clickEventsOf(service, link.id)
    expect(event?.country).toBe('NL')
    expect(event?.visitorHash).toHaveLength(16)
    const { rows: tables } = await service.pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    expect(tables.length).toBeGreaterThan(15)
    for (const { tablename } of tables) {
      const { rows } = await service.pool.query(
        `SELECT 1 FROM "${tablename}" t WHERE t::text LIKE '%193.0.6.139%' OR t::text LIKE '%127.0.0.1%'`,
      )
      expect({ tablename, rows }).toEqual({ tablename, rows: [] })
    }
  })
})
