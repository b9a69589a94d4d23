import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processorOf } from '../../../src/processor/processors.ts'
import { ROOT } from '../../lifecycle/given-service.ts'
import { givenService } from '../../support/shared-service.ts'

const GUIDE = readFileSync(join(ROOT, 'docs/guides/paddle.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'tributary-paddle-guide-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const blocks = [...GUIDE.matchAll(/^```(sh|json|js|text)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}))
const shown = blocks.flatMap(({ language, text }, index) => {
  const next = blocks[index + 1]
  return language === 'sh' ? [{ commands: text, answer: next?.language === 'json' ? next.text : null }] : []
})

/** Runs all commands in one shell, as a reader types them, each with its output in a separate file. */
const run = async (baseUrl: string) => {
  const script = shown.map(({ commands }, index) => `{\n${commands}\n} > "${folder}/${index}"`).join('\n')
  const env = { PATH: process.env.PATH, TMPDIR: folder, BASE_URL: baseUrl }
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], { env, stdout: 'ignore', stderr: 'pipe' })
  const complaints = await new Response(shell.stderr).text()
  expect({ exitCode: await shell.exited, complaints }).toEqual({ exitCode: 0, complaints: '' })
  return shown.map((_, index) => readFileSync(join(folder, String(index)), 'utf8'))
}

/** `…` matches anything. */
const asShown = (value: unknown): unknown => {
  if (value === '…') return expect.any(String)
  if (Array.isArray(value)) return value.map(asShown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asShown(inner)]))
}

const service = await givenService()
const outputs = await run(service.url)

describe('docs/guides/paddle.md', () => {
  for (const [index, { commands, answer }] of shown.entries())
    test(`block ${index + 1}: ${commands.split('\n')[0]}`, () => {
      if (answer === null) expect(outputs[index]).toBe('')
      else expect(JSON.parse(outputs[index] ?? '')).toEqual(asShown(JSON.parse(answer)))
    })

  test('passes the three values through both kinds of checkout', async () => {
    const code = blocks.filter(({ language }) => language === 'js').map(({ text }) => text)
    const sent: unknown[] = []
    const AsyncFunction = (async () => {}).constructor as new (
      ...names: string[]
    ) => (...values: unknown[]) => Promise<void>
    const checkout = new AsyncFunction('Paddle', 'paddle', 'programId', 'user', 'cookies', code.join('\n'))
    const record = ({ customData }: { customData: unknown }) => sent.push(customData)
    const cookies = { service_click_id: 'click_1' }
    await checkout({ Checkout: { open: record } }, { transactions: { create: record } }, 7, { id: 'user_42' }, cookies)
    const customData = { program_id: '7', service_customer_key: 'user_42', service_click_id: 'click_1' }
    expect(sent).toEqual([customData, customData])
  })

  test('names exactly the events that the dashboard lists', () => {
    const listed = blocks
      .find(({ language }) => language === 'text')
      ?.text.trim()
      .split('\n')
    expect(listed).toEqual(processorOf({ processor: 'paddle' }).eventTypes)
  })
})
