import { expect, test } from 'bun:test'
import { createConduct } from '../conduct.ts'
import { createLedger } from '../ledger.ts'
import { readOptions } from '../options.ts'
import { readingMessages, tagOf } from '../proxy/postgres-messages.ts'

test('an acknowledged call stays acknowledged, and one inconclusive response outweighs every refusal', () => {
  const ledger = createLedger()
  ledger.sending('sale', 'a')
  ledger.answered('sale', 'a', 'acknowledged')
  ledger.answered('sale', 'a', 'unknown')
  ledger.sending('sale', 'b')
  ledger.answered('sale', 'b', 'refused')
  expect(ledger.count('refused')).toBe(1)
  ledger.sending('sale', 'b')
  ledger.answered('sale', 'b', 'unknown')
  ledger.answered('sale', 'b', 'refused')
  expect(ledger.entries('sale')).toEqual([
    { id: 'a', outcome: 'acknowledged', sent: 1 },
    { id: 'b', outcome: 'unknown', sent: 2 },
  ])
})

test('a 503 without Retry-After, a 500 and no answer are offenses; no answer is none while the service is killed', () => {
  const answer = (status: number, headers = {}) => ({ status, headers, body: null, milliseconds: 1 })
  const conduct = createConduct()
  conduct.note('click', answer(200))
  conduct.note('click', answer(503, { 'retry-after': '1' }))
  expect(conduct.findings()).toEqual([])
  conduct.note('click', answer(503))
  conduct.note('click', answer(500))
  conduct.note('click', null, 'but ECONNRESET')
  expect(conduct.findings()).toEqual([
    '1× click: 503 without Retry-After',
    '1× click: 500 ',
    '1× click: no answer but ECONNRESET',
  ])
  const killed = createConduct({ mayBreak: true })
  killed.note('click', null)
  expect(killed.findings()).toEqual([])
})

test('Postgres messages are read whole, however their bytes arrive', () => {
  const message = (letter: string, text: string) => {
    const bytes = Buffer.alloc(5 + text.length + 1)
    bytes.write(letter, 0)
    bytes.writeUInt32BE(4 + text.length + 1, 1)
    bytes.write(text, 5)
    return bytes
  }
  const stream = Buffer.concat([message('D', 'row'), message('C', 'COMMIT'), message('Z', 'I')])
  const read = readingMessages()
  const seen = [...stream].flatMap((byte) => read(Buffer.from([byte])))
  expect(seen.map(({ letter }) => letter).join('')).toBe('DCZ')
  expect(seen.map(tagOf)[1]).toBe('COMMIT')
})

test('an unknown fault and an invalid number of rounds are rejected in one sentence', () => {
  expect(() => readOptions(['--only', 'kill-everything'])).toThrow('Unknown fault: kill-everything.')
  expect(() => readOptions(['--rounds', '0'])).toThrow('--rounds takes a whole number')
  expect(readOptions(['--only', 'overload,kill-service', '--short']).faults.map(({ name }) => name)).toEqual([
    'overload',
    'kill-service',
  ])
})
