import { expect, test } from 'bun:test'
import { parse } from '../options.ts'

test('defaults to everything on an empty database, in one process and in two', () => {
  expect(parse([])).toMatchObject({
    parts: ['pages', 'clicks', 'leads', 'sales', 'webhooks'],
    filled: null,
    workers: 2,
    soakSeconds: 0,
    deliveries: 0,
    client: 'socket',
    cold: false,
  })
})

test('--full is ten million clicks with their leads and sales', () => {
  expect(parse(['--full'])?.filled).toEqual({ clicks: 10_000_000, leads: 200_000, sales: 50_000 })
  expect(parse(['--full', '--clicks', '1000'])?.filled).toEqual({ clicks: 1_000, leads: 20, sales: 5 })
})

test('times and parts are parsed, or rejected with the valid values', () => {
  expect(parse(['--soak', '10m', '--only', 'sales, leads'])).toMatchObject({
    soakSeconds: 600,
    parts: ['sales', 'leads'],
  })
  expect(() => parse(['--soak', 'long'])).toThrow('10m')
  expect(() => parse(['--only', 'tea'])).toThrow('webhooks')
  expect(parse(['--processor', 'polar'])?.processor).toBe('polar')
  expect(() => parse(['--processor', 'cash'])).toThrow('paddle')
  expect(parse(['--client', 'fetch'])?.client).toBe('fetch')
  expect(() => parse(['--client', 'curl'])).toThrow('socket or fetch')
  expect(parse(['--full', '--cold'])?.cold).toBe(true)
  expect(() => parse(['--rounds', '0'])).toThrow('above 0')
})
