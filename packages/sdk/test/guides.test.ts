import { describe, expect, test } from 'bun:test'
import { leadRequest, saleRequest } from '@tributary/contract'
import { givenClick, unique } from '../../../apps/server/test/support/given.ts'
import { leadsOf, salesOf } from '../../../apps/server/test/support/records.ts'
import { startTestService } from '../../../apps/server/test/support/service.ts'
import { isLongRun } from '../../../apps/server/test/support/size.ts'
import { givenReader } from './support/follow-guide.ts'
import { asShown, type Block, callIn, readGuide } from './support/guide.ts'
import { givenProjectWith } from './support/installed-project.ts'
import { GUIDES } from './support/strangers.ts'

/**
 * The guides are followed to the letter, with the built SDK, which package.test.ts installs from its tarball. Run for real: every `sh` block (bash and curl),
 * every `js` file (Node; Hono and the Next.js handler on Bun), every `python` file where there is a python3. PHP is not run: the
 * call that its text makes is read from it and sent, and so it is for Python.
 */
const HAS_PYTHON = Bun.which('python3') !== null

const service = await startTestService()
const project = givenProjectWith(['express', 'fastify', 'hono'])

const isServer = ({ section, language }: Block) => section.startsWith('2.') && language === 'js'
const isRun = (block: Block) =>
  !isServer(block) && (block.language !== 'python' || HAS_PYTHON) && block.language !== 'php'

const expectAsShown = (blocks: Block[], outputs: string[]) => {
  for (const [index, { section, content, answer }] of blocks.entries()) {
    const output = outputs[index] ?? ''
    const came = { section, content, answer: answer === null ? output : JSON.parse(output) }
    expect(came).toEqual({ section, content, answer: answer === null ? '' : asShown(JSON.parse(answer)) })
  }
}

for (const [name, expectWhateverComes] of Object.entries(GUIDES)) {
  const blocks = readGuide(name)
  const servers = blocks.filter(isServer)
  const express = servers.find(({ part }) => part === 'Express') as Block

  describe(`docs/guides/${name}`, () => {
    test('has a server for each framework, and the same without the SDK', () => {
      const parts = servers.map(({ part }) => part.split(',')[0])
      expect(parts).toEqual(['Express', 'Fastify', 'Hono', 'Next.js', 'Node'])
      const without = blocks.filter(({ section }) => section.endsWith('Without the SDK')).map(({ part }) => part)
      expect(without).toEqual(['curl', 'Python', 'PHP'])
      expect(blocks.filter(({ file, command }) => !file && command)).toEqual([])
    })

    for (const block of servers.slice(1))
      test(`leads to what it shows with ${block.part}, and strangers can send anything`, async () => {
        const reader = await givenReader(service, project)
        const server = await reader.start(block)
        const steps = blocks.filter((block) => isRun(block) && /^[123]\./.test(block.section))
        expectAsShown(steps, await reader.follow(steps))
        expect((await leadsOf(service, reader.program.id)).length).toBe(1)
        await expectWhateverComes({ service, reader, server })
      })

    test(`leads to what it shows from beginning to end with ${express.part}${HAS_PYTHON ? ' and Python' : ''}, and strangers can send anything`, async () => {
      const reader = await givenReader(service, project)
      const server = await reader.start(express)
      const steps = blocks.filter(isRun)
      expectAsShown(steps, await reader.follow(steps))
      const leads = await leadsOf(service, reader.program.id)
      const sales = await salesOf(service, reader.program.id)
      const python = HAS_PYTHON ? 1 : 0
      expect([leads.length, sales.length]).toEqual(name === 'send-leads.md' ? [2 + python, 0] : [1, 2 + python])
      await expectWhateverComes({ service, reader, server })
    })

    test.skipIf(!isLongRun && name !== 'send-leads.md')('can be sent anything with Express of version 4', async () => {
      const reader = await givenReader(service, project)
      const server = await reader.start(express, { express4: true })
      await expectWhateverComes({ service, reader, server })
    })

    for (const block of blocks.filter(({ language }) => language === 'python' || language === 'php'))
      test(`the call in its ${block.part} is taken by the service`, async () => {
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

test('what a guide leaves out may be anything, what it shows may not', () => {
  const came = { totals: { clicks: 1, sales: 2 }, days: [] }
  expect(came).toEqual(asShown({ totals: { clicks: 1, '…': '…' }, '…': '…' }) as typeof came)
  expect(came).not.toEqual(asShown({ totals: { clicks: 2, '…': '…' }, '…': '…' }) as typeof came)
  expect(came).not.toEqual(asShown({ totals: { leads: 1, '…': '…' }, '…': '…' }) as typeof came)
  expect(came).not.toEqual(asShown({ totals: { clicks: 1 }, '…': '…' }) as typeof came)
})
