import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import {
  DEFAULT_EVENTS_LIMIT,
  EVENT_RETENTION_DAYS,
  exampleEvent,
  MAX_EVENTS_LIMIT,
  PREVIOUS_WEBHOOK_SECRET_HOURS,
  PUBLISHED_EVENT_DESCRIPTIONS,
  WEBHOOK_DISABLE_DAYS,
  WEBHOOK_RETENTION_DAYS,
  WEBHOOK_TIMEOUT_SECONDS,
  WEBHOOK_WARN_DAYS,
} from '@tributary/contract'
import { freePort, until } from '../../../apps/server/test/lifecycle/given-service.ts'
import { unique } from '../../../apps/server/test/support/given.ts'
import { startTestService } from '../../../apps/server/test/support/service.ts'
import { isLongRun } from '../../../apps/server/test/support/size.ts'
import { givenReader } from './support/follow-guide.ts'
import { asShown, type Block, readGuide, textOfGuide } from './support/guide.ts'
import { givenProjectWith, ROOT } from './support/installed-project.ts'

/**
 * Follows docs/guides/webhooks.md to the letter, with each receiver in it: adds an endpoint, starts the receiver with its secret, and
 * runs every command. Languages that are not installed are skipped.
 */
const service = await startTestService({ webhookAllowHosts: ['127.0.0.0/8'] })
const project = givenProjectWith([])
const blocks = readGuide('webhooks.md')
const receiverIn = (part: string) => blocks.find((block) => block.part === part && block.command) as Block
const steps = (numbers: RegExp) => blocks.filter(({ section, language }) => language === 'sh' && numbers.test(section))

/** The SDK's receiver with the function that the guide shows for projects without the SDK. */
const withoutSdk = (): Block => {
  const { content, ...rest } = receiverIn('Node with the SDK')
  return { ...rest, content: content.replace("'@tributary/sdk'", "'./verify-webhook.mjs'") }
}

const RECEIVERS: [name: string, program: string, block: () => Block][] = [
  ['Node with the SDK', 'node', () => receiverIn('Node with the SDK')],
  ['Python', 'python3', () => receiverIn('Python')],
  ['PHP', 'php', () => receiverIn('PHP')],
  ...(isLongRun ? [['Node without the SDK', 'node', withoutSdk] as [string, string, () => Block]] : []),
]

const givenReceiver = async (block: Block) => {
  const reader = await givenReader(service, project)
  const { env } = reader
  const port = freePort()
  env.HOOK_URL = `http://127.0.0.1:${port}/hooks`
  for (const file of blocks) if (file.file === 'verify-webhook.mjs') reader.write(file)
  const add = steps(/^2\./)
  expectAsShown(add, await reader.follow(add))
  const endpoint = JSON.parse(reader.read('endpoint.json')).data
  env.ENDPOINT_ID = String(endpoint.id)
  env.TRIBUTARY_WEBHOOK_SECRET = endpoint.secret
  const command = block.command?.replace(':4000', `:${port}`) ?? null
  await reader.start({ ...block, command }, { port, output: 'printed' })
  const printed = () => reader.read('printed').trim().split('\n')
  return { reader, url: env.HOOK_URL, printed }
}

const expectAsShown = (shown: Block[], outputs: string[]) => {
  for (const [index, { section, answer }] of shown.entries()) {
    const output = outputs[index] ?? ''
    const actual = { section, output: answer === null ? output : JSON.parse(output) }
    expect(actual).toEqual({ section, output: answer === null ? '' : asShown(JSON.parse(answer)) })
  }
}

/** Sent by someone who knows everything but the secret. */
const forge = (url: string) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': 'msg_forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
    body: '{"type":"payout.paid","sequence":1}',
  })

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const BODY = JSON.stringify({ type: 'sale.created', sequence: 7, data: { eventName: 'Zoë’s plan' } })

const functionIn = (part: string) =>
  new RegExp(`^### ${part}\n\n\`\`\`\\w+ \\S+\n(.*?)^\`\`\`$`, 'ms').exec(textOfGuide('webhooks.md'))?.[1] ?? ''

/** Programs that call the functions of languages without a whole receiver in the guide. */
const FUNCTIONS: Record<
  string,
  { program: string; command: string; caller: (code: string) => Record<string, string> }
> = {
  Ruby: {
    program: 'ruby',
    command: 'ruby main.rb',
    caller: (code) => ({
      'main.rb': `${code}
headers = { "webhook-id" => ENV["ID"], "webhook-timestamp" => ENV["TIMESTAMP"], "webhook-signature" => ENV["SIGNATURE"] }
begin
  verify_webhook(ENV["BODY"], headers, ENV["SECRET"])
  puts "accepted"
rescue => error
  puts error.message
end
`,
    }),
  },
  Go: {
    program: 'go',
    command: 'go run .',
    caller: (code) => ({
      'go.mod': 'module example.com/receiver\n\ngo 1.19\n',
      'webhooks/verify_webhook.go': code,
      'main.go': `package main

import (
	"example.com/receiver/webhooks"
	"fmt"
	"net/http"
	"os"
)

func main() {
	headers := http.Header{}
	headers.Set("webhook-id", os.Getenv("ID"))
	headers.Set("webhook-timestamp", os.Getenv("TIMESTAMP"))
	headers.Set("webhook-signature", os.Getenv("SIGNATURE"))
	if err := webhooks.VerifyWebhook([]byte(os.Getenv("BODY")), headers, os.Getenv("SECRET")); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("accepted")
}
`,
    }),
  },
}

describe('docs/guides/webhooks.md', () => {
  for (const [name, program, block] of RECEIVERS)
    test.skipIf(!Bun.which(program))(
      `with a receiver in ${name}: it gets every event once, and no forged one`,
      async () => {
        const { reader, url, printed } = await givenReceiver(block())
        const rest = steps(/^[3-8]\./)
        expectAsShown(rest, await reader.follow(rest))
        const { program } = reader
        const customer_key = await program.customer()
        expect((await program.sale({ customer_key, amount: 4_900, invoice_id: unique('inv') })).status).toBe(200)
        const { body } = await service.call('GET', '/api/v1/events?limit=1000', undefined, {
          authorization: `Bearer ${program.key}`,
        })
        const happened: { type: string; sequence: number }[] = body.data
        const lines = happened.map(({ type, sequence }) => `${type} ${sequence}`)
        const expected = lines.slice(lines.findIndex((line) => line.startsWith('test.ping')))
        expect(expected.join()).toContain('sale.created')
        await until(() => expected.every((line) => printed().includes(line)))
        const { id } = JSON.parse(reader.read('delivery.json')).data
        const resent = async () =>
          (await program.owner.call('GET', `${program.api}/webhook-deliveries/${id}`)).body.data
        await until(async () => (await resent()).attempts === 2)
        expect((await forge(url)).status).toBe(400)
        const events = printed().filter((line) => /^\w+\.\w+ \d+$/.test(line))
        expect(events).toHaveLength(new Set(events).size)
        expect(expected).toEqual(expect.arrayContaining(events))
      },
    )

  for (const [language, { program, command, caller }] of Object.entries(FUNCTIONS))
    test.skipIf(!isLongRun || !Bun.which(program))(`its ${language} function accepts only signed bodies`, async () => {
      const folder = language.toLowerCase()
      for (const [file, content] of Object.entries(caller(functionIn(language))))
        project.write(`${folder}/${file}`, content)
      const timestamp = String(Math.floor(Date.now() / 1_000))
      const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
      const signed = `v1,${createHmac('sha256', key).update(`msg_1.${timestamp}.${BODY}`).digest('base64')}`
      const run = (body: string, signature: string) =>
        project.run(['sh', '-c', `cd ${folder} && ${command}`], {
          BODY: body,
          SECRET,
          ID: 'msg_1',
          TIMESTAMP: timestamp,
          SIGNATURE: signature,
          GOFLAGS: '-mod=mod',
          GOCACHE: `${project.folder}/go-cache`,
        })
      expect(await run(BODY, `v1,old ${signed}`)).toBe('accepted\n')
      expect(await run(`${BODY} `, signed)).toBe('invalid signature\n')
    })

  test('shows the code of the dashboard and describes every type of event', async () => {
    const text = textOfGuide('webhooks.md')
    const { verificationSnippets } = await import(
      join(ROOT, 'apps/dashboard/src/pages/webhooks/verification-snippets.ts')
    )
    for (const { name, code } of verificationSnippets(''))
      expect({ name, isShown: text.includes(code) }).toMatchObject({ isShown: true })
    for (const [type, when] of Object.entries(PUBLISHED_EVENT_DESCRIPTIONS))
      expect(text).toContain(`| \`${type}\` | ${when} |`)
  })

  test('shows an event as it is sent, and the limits that apply', () => {
    const text = textOfGuide('webhooks.md')
    const shown = /^webhook-timestamp: (\d+)\nwebhook-signature: .*\n\n(\{.*?^\})$/ms.exec(text)
    const event = exampleEvent('commission.payable')
    expect(JSON.stringify(JSON.parse(shown?.[2] ?? ''))).toBe(JSON.stringify(event))
    expect(Number(shown?.[1]) - Date.parse(event.timestamp) / 1_000).toBeWithin(0, 15)
    for (const words of [
      `within ${WEBHOOK_TIMEOUT_SECONDS} seconds`,
      `for ${WEBHOOK_DISABLE_DAYS} days, is disabled`,
      `${WEBHOOK_DISABLE_DAYS - WEBHOOK_WARN_DAYS} days before`,
      `Deliveries are kept for ${WEBHOOK_RETENTION_DAYS} days`,
      `For ${PREVIOUS_WEBHOOK_SECRET_HOURS} hours`,
      `events are kept for ${EVENT_RETENTION_DAYS} days`,
      `\`limit\` is ${DEFAULT_EVENTS_LIMIT} by default and at most ${MAX_EVENTS_LIMIT.toLocaleString('en-US')}`,
    ])
      expect(text).toContain(words)
  })
})
