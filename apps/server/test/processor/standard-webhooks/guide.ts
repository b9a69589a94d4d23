import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processorOf } from '../../../src/processor/processors.ts'
import { ROOT } from '../../lifecycle/given-service.ts'
import { startTestService } from '../../support/service.ts'

type Checkout = { names: string[]; values: unknown[]; metadata: Record<string, unknown> }

/** Runs the commands of a processor's guide in one shell, as a reader types them, and compares every answer. `…` matches anything. */
export const followsItsGuide = async (processor: string, givenCheckout: (sent: unknown[]) => Checkout) => {
  const guide = readFileSync(join(ROOT, `docs/guides/${processor}.md`), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), `tributary-${processor}-guide-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const blocks = [...guide.matchAll(/^```(sh|json|js|text)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
  const shown = blocks.flatMap(({ language, text }, index) => {
    const next = blocks[index + 1]
    return language === 'sh' ? [{ commands: text, answer: next?.language === 'json' ? next.text : null }] : []
  })
  const service = await startTestService()
  const script = shown.map(({ commands }, index) => `{\n${commands}\n} > "${folder}/${index}"`).join('\n')
  const env = { PATH: process.env.PATH, TMPDIR: folder, BASE_URL: service.url }
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], { env, stdout: 'ignore', stderr: 'pipe' })
  const complaints = await new Response(shell.stderr).text()
  const exitCode = await shell.exited

  describe(`docs/guides/${processor}.md`, () => {
    test('has commands that work', () => {
      expect({ exitCode, complaints }).toEqual({ exitCode: 0, complaints: '' })
    })

    for (const [index, { commands, answer }] of shown.entries())
      test(`block ${index + 1}: ${commands.split('\n')[0]}`, () => {
        const output = readFileSync(join(folder, String(index)), 'utf8')
        if (answer === null) expect(output).toBe('')
        else expect(JSON.parse(output)).toEqual(asShown(JSON.parse(answer)))
      })

    test('passes the three values through the checkout', async () => {
      const code = blocks.filter(({ language }) => language === 'js').map(({ text }) => text)
      const sent: unknown[] = []
      const { names, values, metadata } = givenCheckout(sent)
      const AsyncFunction = (async () => {}).constructor as new (
        ...names: string[]
      ) => (...values: unknown[]) => Promise<void>
      await new AsyncFunction('programId', 'user', 'cookies', ...names, code.join('\n'))(
        7,
        { id: 'user_42' },
        { service_click_id: 'click_1' },
        ...values,
      )
      expect(sent).toMatchObject([{ metadata }])
    })

    test('names exactly the events that the dashboard lists', () => {
      const listed = blocks.find(({ language }) => language === 'text')?.text
      expect(listed?.trim().split('\n')).toEqual(processorOf({ processor }).eventTypes)
    })
  })
}

const asShown = (value: unknown): unknown => {
  if (value === '…') return expect.any(String)
  if (Array.isArray(value)) return value.map(asShown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asShown(inner)]))
}
