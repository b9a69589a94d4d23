import { afterAll, describe, expect, test } from 'bun:test'
import { createPost } from '../../src/webhooks/sending/post.ts'
import { addressRules } from '../../src/webhooks/sending/public-addresses.ts'
import { givenReceiver } from './given-webhooks.ts'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

/** A resolver whose names get these addresses, one answer after the other. */
const names = (answers: Record<string, string[]>) => {
  const asked: string[] = []
  const resolve: Parameters<typeof addressRules>[1] = (host, _options, callback) => {
    const count = asked.filter((name) => name === host).length
    asked.push(host)
    const address = answers[host]?.[Math.min(count, answers[host].length - 1)] ?? ''
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }])
  }
  return { resolve, asked }
}

const posting = (allowed: string[], resolve?: Parameters<typeof addressRules>[1], signal?: AbortSignal) => {
  const { post, close } = createPost(addressRules(allowed, resolve))
  closing.push(close)
  return (url: string) => post({ url, headers: { 'content-type': 'application/json' }, body: '{}', signal })
}

const portOf = (url: string) => new URL(url).port

describe('a webhook never reaches', () => {
  test('a private, local, mapped, translated or reserved address, however it is written', async () => {
    const receiver = givenReceiver()
    const port = portOf(receiver.url)
    const send = posting([])
    const hosts = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', 'localhost']
    const sixes = ['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]']
    const others = ['10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '192.0.2.1', '224.0.0.1']
    const more = ['255.255.255.255', '168.63.129.16', '[fd00::1]', '[fe80::1]', '[2002:7f00:1::]', '[2001:db8::1]']
    for (const host of [...hosts, ...sixes, ...others, ...more])
      for (const place of [`${host}:${port}`, host])
        expect({ place, ...(await send(`http://${place}/`)) }).toMatchObject({
          place,
          status: null,
          error: 'address_refused',
        })
    expect((await send('https://localhost/')).error).toBe('address_refused')
    expect(receiver.received).toHaveLength(0)
    // The same receiver answers as soon as its address is allowed, on any port.
    const allowed = posting(['127.0.0.0/8'])
    for (const host of ['127.0.0.1', '2130706433', 'localhost'])
      expect(await allowed(`http://${host}:${port}/`)).toMatchObject({ status: 200, error: null })
    expect(await posting(['10.0.0.0/8', '::1'])(`http://127.0.0.1:${port}/`)).toMatchObject({
      error: 'address_refused',
    })
  })

  test('a name that resolves to such an address, at the moment it connects', async () => {
    const receiver = givenReceiver()
    const port = portOf(receiver.url)
    const { resolve, asked } = names({ 'inner.example.com': ['127.0.0.1'], 'mapped.example.com': ['::ffff:127.0.0.1'] })
    for (const host of ['inner.example.com', 'mapped.example.com']) {
      expect((await posting([], resolve)(`http://${host}/`)).error).toBe('address_refused')
      expect((await posting(['10.0.0.0/8'], resolve)(`http://${host}:${port}/`)).error).toBe('address_refused')
    }
    expect(asked).toHaveLength(4)
    expect(receiver.received).toHaveLength(0)
    expect(await posting(['127.0.0.1'], resolve)(`http://inner.example.com:${port}/`)).toMatchObject({ status: 200 })
    expect(receiver.received[0]?.headers.host).toBe(`inner.example.com:${port}`)
  })

  test('a name that changes its answer after it was checked', async () => {
    const receiver = givenReceiver(() => ({ headers: { connection: 'close' } }))
    const port = portOf(receiver.url)
    const { resolve, asked } = names({ 'turning.example.com': ['127.0.0.1', '127.0.0.2'] })
    const send = posting(['127.0.0.1'], resolve)
    const url = `http://turning.example.com:${port}/`
    expect(await send(url)).toMatchObject({ status: 200 })
    // One lookup per connection: the address that was checked is the address that is called.
    expect(asked).toHaveLength(1)
    expect(await send(url)).toMatchObject({ status: null, error: 'address_refused' })
    expect(receiver.received).toHaveLength(1)
  })

  test('another port than 80 and 443 of a public address', async () => {
    const { resolve, asked } = names({ 'hooks.example.com': ['93.184.216.34'] })
    for (const allowed of [[], ['10.0.0.0/8']])
      expect((await posting(allowed, resolve)('http://hooks.example.com:5432/')).error).toBe('address_refused')
    expect((await posting([])('http://93.184.216.34:22/')).error).toBe('address_refused')
    expect(asked).toHaveLength(1)
  })

  test('the target of a redirect', async () => {
    const inner = givenReceiver()
    const receiver = givenReceiver(() => ({ status: 307, headers: { location: inner.url } }))
    expect(await posting(['127.0.0.1'])(receiver.url)).toMatchObject({ status: 307 })
    expect(inner.received).toHaveLength(0)
  })
})

describe('an answer', () => {
  test('is read up to one KB, and without NUL or half a character', async () => {
    const huge = givenReceiver(() => ({ body: 'é'.repeat(5_000_000) }))
    const { response, status } = await posting(['127.0.0.1'])(huge.url)
    expect(status).toBe(200)
    expect(response).toBe('é'.repeat(512))
    const odd = givenReceiver(() => ({ body: 'a\0b' }))
    expect((await posting(['127.0.0.1'])(odd.url)).response).toBe('ab')
  })

  test('that never comes, or no one who listens, is an error with a reason', async () => {
    const silent = givenReceiver(() => ({ after: new Promise(() => {}) }))
    const { post, close } = createPost(addressRules(['127.0.0.1']), 100)
    closing.push(close)
    expect(await post({ url: silent.url, headers: {}, body: '' })).toMatchObject({ status: null, error: 'timeout' })
    const stopping = new AbortController()
    const cut = posting(['127.0.0.1'], undefined, stopping.signal)(silent.url)
    await silent.got(2)
    stopping.abort()
    expect(await cut).toMatchObject({ status: null })
    const receiver = givenReceiver()
    receiver.stop()
    expect(await posting(['127.0.0.1'])(receiver.url)).toMatchObject({ status: null, error: 'connection_refused' })
    expect((await posting([])('https://no-such-name.invalid/')).error).toBe('name_not_found')
    const plain = givenReceiver()
    expect((await posting(['127.0.0.1'])(plain.url.replace('http:', 'https:'))).error).toBeOneOf([
      'tls_failed',
      'connection_failed',
    ])
  })
})
