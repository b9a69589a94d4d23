import { describe, expect, test } from 'bun:test'
import { leadRequest, saleRequest } from '@tributary/contract'
import { givenClick, unique } from '../../../apps/server/test/support/given.ts'
import { leadsOf, salesOf } from '../../../apps/server/test/support/records.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { isLongRun } from '../../../apps/server/test/support/size.ts'
import { GUIDES } from './support/arbitrary-input.ts'
import { givenReader } from './support/follow-guide.ts'
import { asShown, type Block, callIn, readGuide } from './support/guide.ts'
import { givenProjectWith } from './support/installed-project.ts'

/**
 * Follows the guides to the letter with the built SDK. Runs every `sh` block (bash and curl), every `js` file (Node; Hono and the
 * Next.js handler on Bun) and, if python3 is installed, every `python` file. For PHP, and also for Python, the call is extracted from
 * the code and sent.
 */
const HAS_PYTHON = Bun.which('python3') !== null
const HAS_PHP = Bun.which('php') !== null && Bun.spawnSync(['php', '-m']).stdout.includes('curl')

const service = await givenService()
const project = givenProjectWith(['express', 'fastify', 'hono'])

const isServer = ({ section, language }: Block) => section.startsWith('2.') && language === 'js'
const isRun = (block: Block) =>
  !isServer(block) && (block.language !== 'python' || HAS_PYTHON) && block.language !== 'php'

const expectAsShown = (blocks: Block[], outputs: string[]) => {
  for (const [index, { section, content, answer }] of blocks.entries()) {
    const output = outputs[index] ?? ''
    const actual = { section, content, answer: answer === null ? output : JSON.parse(output) }
    expect(actual).toEqual({ section, content, answer: answer === null ? '' : asShown(JSON.parse(answer)) })
  }
}

for (const [name, expectRobust] of Object.entries(GUIDES)) {
  const blocks = readGuide(name)
  const servers = blocks.filter(isServer)
  const express = servers.find(({ part }) => part === 'Express') as Block

  describe(`docs/guides/${name}`, () => {
    test('has a server for each framework, and examples without the SDK', () => {
      const parts = servers.map(({ part }) => part.split(',')[0])
      expect(parts).toEqual(['Express', 'Fastify', 'Hono', 'Next.js', 'Node'])
      const without = blocks.filter(({ section }) => section.endsWith('Without the SDK')).map(({ part }) => part)
      expect(without).toEqual(['curl', 'Python', 'PHP'])
      expect(blocks.filter(({ file, command }) => !file && command)).toEqual([])
    })

    // The short run tries each framework with one of the guides.
    const isOdd = Object.keys(GUIDES).indexOf(name) % 2
    for (const block of servers.slice(1).filter((_, index) => isLongRun || index % 2 === isOdd))
      test(`gives the output it shows with ${block.part}, and survives arbitrary input`, async () => {
        const reader = await givenReader(service, project)
        const server = await reader.start(block)
        const steps = blocks.filter((block) => isRun(block) && /^[123]\./.test(block.section))
        expectAsShown(steps, await reader.follow(steps))
        expect((await leadsOf(service, reader.program.id)).length).toBe(1)
        await expectRobust({ service, reader, server })
      })

    test(`gives the output it shows from start to finish with ${express.part}${HAS_PYTHON ? ' and Python' : ''}, and survives arbitrary input`, async () => {
      const reader = await givenReader(service, project)
      const server = await reader.start(express)
      const steps = blocks.filter(isRun)
      expectAsShown(steps, await reader.follow(steps))
      const leads = await leadsOf(service, reader.program.id)
      const sales = await salesOf(service, reader.program.id)
      const python = HAS_PYTHON ? 1 : 0
      expect([leads.length, sales.length]).toEqual(name === 'send-leads.md' ? [2 + python, 0] : [1, 2 + python])
      await expectRobust({ service, reader, server })
    })

    test.skipIf(!isLongRun && name !== 'send-leads.md')('survives arbitrary input with Express 4', async () => {
      const reader = await givenReader(service, project)
      const server = await reader.start(express, { express4: true })
      await expectRobust({ service, reader, server })
    })

    for (const block of blocks.filter(({ language }) => language === 'python' || language === 'php'))
      test(`the service accepts the call in its ${block.part} example`, async () => {
        const { program } = await givenReader(service, project)
        const { path, fields, sendsKey, sendsJson } = callIn(block)
        expect({ sendsKey, sendsJson }).toEqual({ sendsKey: true, sendsJson: true })
        const sample: Record<string, unknown> = {
          customer_key: unique('user'),
          click_id: await givenClick(service, program.link),
          email: 'ada@example.com',
          amount: 4900,
          invoice_id: unique('inv'),
          currency: 'EUR',
        }
        const schema = path.endsWith('/lead') ? leadRequest : saleRequest
        expect(fields.filter((field) => !(field in schema.shape) || !(field in sample))).toEqual([])
        const body = Object.fromEntries(fields.map((field) => [field, sample[field]]))
        const { status, body: answer } = await service.call('POST', path, body, {
          authorization: `Bearer ${program.key}`,
        })
        expect({ status, success: answer.success }).toEqual({ status: 200, success: true })
        expect(fields.length).toBeGreaterThan(2)
      })
  })
}

test.skipIf(!HAS_PHP)('the PHP lead logs what the service refuses, and the sign-up goes on', async () => {
  const php = readGuide('send-leads.md').find(({ language }) => language === 'php')?.content ?? ''
  const signUp = `<?php $_COOKIE['service_click_id'] = 'unknown'; $user = (object) ['id' => 7, 'email' => null]; ?>`
  const { program } = await givenReader(service, project)
  for (const [key, sentence] of [
    ['trk_wrong_key', 'lead not sent: This API key is invalid'],
    [program.key, 'lead not sent: '],
  ] as const) {
    const env = { PATH: process.env.PATH, TRIBUTARY_URL: service.url, TRIBUTARY_KEY: key }
    const run = Bun.spawn(['php'], { stdin: Buffer.from(`${signUp}${php}\necho 'signed up';`), env, stderr: 'pipe' })
    expect(await new Response(run.stderr).text()).toContain(sentence)
    expect(await new Response(run.stdout).text()).toEndWith('signed up')
  }
})

test('an ellipsis in a guide matches anything, everything else must match exactly', () => {
  const actual = { totals: { clicks: 1, sales: 2 }, days: [] }
  expect(actual).toEqual(asShown({ totals: { clicks: 1, '…': '…' }, '…': '…' }) as typeof actual)
  expect(actual).not.toEqual(asShown({ totals: { clicks: 2, '…': '…' }, '…': '…' }) as typeof actual)
  expect(actual).not.toEqual(asShown({ totals: { leads: 1, '…': '…' }, '…': '…' }) as typeof actual)
  expect(actual).not.toEqual(asShown({ totals: { clicks: 1 }, '…': '…' }) as typeof actual)
})
