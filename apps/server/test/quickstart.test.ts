import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterwards, cleanUp, givenService, ROOT } from './lifecycle/given-service.ts'
import { givenPreparedDataDir } from './lifecycle/prepared-data.ts'

afterAll(cleanUp)

const GUIDE = readFileSync(join(ROOT, 'docs/guides/quickstart.md'), 'utf8')

type Step = { heading: string; commands: string; answer: string | null }

/** Every `sh` block with the response shown right after it, under its heading. */
const stepsOf = (guide: string): Step[] => {
  const steps: Step[] = []
  let heading = ''
  for (const [, title, language, content = ''] of guide.matchAll(/^## ([^\n]*)$|^```(\w+)\n(.*?)^```$/gms)) {
    if (title) heading = title
    if (language === 'sh') steps.push({ heading, commands: content, answer: null })
    const step = steps.at(-1)
    if (language === 'json' && step) {
      if (step.answer) throw new Error(`two responses to one command under "${heading}"`)
      step.answer = content
    }
  }
  return steps
}

/** Runs all commands in one shell, as a reader types them, each with its output in a separate file. */
const run = async (steps: Step[], baseUrl: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-quickstart-'))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  const script = steps.map(({ commands }, index) => `{\n${commands}\n} > "${folder}/${index}"`).join('\n')
  const env = { PATH: process.env.PATH, TMPDIR: folder, BASE_URL: baseUrl }
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], { env, stdout: 'ignore', stderr: 'pipe' })
  const complaints = await new Response(shell.stderr).text()
  expect({ exitCode: await shell.exited, complaints }).toEqual({ exitCode: 0, complaints: '' })
  return steps.map((_, index) => readFileSync(join(folder, String(index)), 'utf8'))
}

/** `…` matches anything, and IDs depend on the other data of the instance. */
const asShown = (shown: unknown, key = ''): unknown => {
  if (typeof shown === 'string' && shown.includes('…'))
    return expect.stringMatching(new RegExp(`^${shown.split('…').map(RegExp.escape).join('.+')}$`))
  if (typeof shown === 'number' && /id$/i.test(key)) return expect.any(Number)
  if (Array.isArray(shown) && shown.length === 1 && shown[0] === '…') return expect.any(Array)
  if (Array.isArray(shown)) return shown.map((item) => asShown(item))
  if (typeof shown !== 'object' || shown === null) return shown
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, asShown(value, name)]))
}

const steps = stepsOf(GUIDE)
const service = await givenService({
  env: { DATA_DIR: await givenPreparedDataDir('demo'), DEMO: 'true', LOG_LEVEL: 'error' },
})
const outputs = await run(steps, `http://localhost:${service.port}`)

describe('docs/guides/quickstart.md', () => {
  for (const [index, { heading, commands, answer }] of steps.entries())
    test(`${heading}, block ${index + 1}: ${commands.match(/\/(api\/)?[\w/-]+(?=["$?])/)?.[0] ?? ''}`, () => {
      if (answer === null) expect(outputs[index]).toBe('')
      else expect(JSON.parse(outputs[index] ?? '')).toEqual(asShown(JSON.parse(answer)))
    })

  test('covers every step and shows the actual responses', () => {
    expect(steps.filter(({ answer }) => answer !== null).length).toBeGreaterThanOrEqual(14)
    for (const call of ['track/click', 'track/lead', 'track/sale', 'tracking/status', 'test_mode'])
      expect(steps.some(({ commands }) => commands.includes(call))).toBe(true)
  })
})
