import { expect, test } from 'bun:test'
import { cell } from '@tributary/contract/csv'
import { givenLink, unique } from './support/given.ts'
import { givenPayingProgram } from './support/money.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

/** The cells that a spreadsheet would see if it split at this separator and ignored quotes. */
const cellsOf = (text: string, separator: RegExp) => text.split(separator).map((part) => part.replace(/^["\s]+/, ''))
const isFormula = (text: string) => /^[=+\-@＝＋－＠]/.test(text) && !/^-?\d+(\.\d+)?"?$/.test(text)

const HOSTILE = [
  '=1+1',
  'a;=1+1',
  'a; =1+1',
  'a;"=1+1',
  'a\t=1+1',
  'a\n=1+1',
  'a\r\n@SUM(A1)',
  'a|=1+1',
  'a,=1+1',
  ';-1+cmd',
  ';;+1+1',
  '"=1+1',
  ' =1+1',
  '＝1+1',
  'a;＝1+1',
]

test.each(HOSTILE)('no spreadsheet reads a part of %j as a formula, whatever separates its cells', (text) => {
  const written = cell(text)
  for (const separator of [/;/, /\t/, /[\r\n]+/, /\|/, /,/])
    expect(cellsOf(written, separator).filter(isFormula)).toEqual([])
})

test('numbers, dates, plain text and exact cells stay unchanged', () => {
  const day = new Date('2026-01-02T03:04:05.678Z')
  const values = [
    -5,
    '-12.34',
    'plain',
    'a - b',
    'x=y',
    'a@example.com',
    true,
    day,
    { exactly: '+4912345;=x' },
  ] as const
  expect(values.map(cell)).toEqual([
    '-5',
    '-12.34',
    'plain',
    'a - b',
    'x=y',
    'a@example.com',
    'true',
    day.toISOString(),
    '"+4912345;=x"',
  ])
  expect(cell('{"amounts":[1,-5],"name":"x"}')).toBe('"{""amounts"":[1,-5],""name"":""x""}"')
})

test('a value with another separator is quoted and harmless in the file', async () => {
  const program = await givenPayingProgram(service, { holdDays: 0 })
  const link = await givenLink(service, program.id)
  const name = `${unique('Ltd')};=HYPERLINK("https://evil.example")`
  await program.owner.call('PATCH', `${program.api}/partners/${link.partnerId}`, { name })
  const file = await fetch(`${service.url}${program.api}/export/partners.csv`, {
    headers: { cookie: program.owner.cookie },
  })
  expect(await file.text()).toContain(`;'=HYPERLINK(""https://evil.example"")"`)
})
