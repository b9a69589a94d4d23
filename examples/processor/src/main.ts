import { startProcessor } from './start-processor.ts'

/** `bun examples/processor/src/main.ts` runs the fake processor on its own. */
const { PORT = '3002', API_VERSION = '2026', LIVEMODE = 'true', WEBHOOK_URL } = process.env

const processor = startProcessor({
  port: Number(PORT),
  apiVersion: API_VERSION === '2024' ? 2024 : 2026,
  livemode: LIVEMODE !== 'false',
})
console.log(`Fake payment processor running at ${processor.url}`)
for (const { secretKey, id } of processor.store.accounts.values()) console.log(`Account ${id}, secret key ${secretKey}`)
if (WEBHOOK_URL)
  console.log(`Sending webhooks to ${WEBHOOK_URL}, signed with ${processor.addEndpoint({ url: WEBHOOK_URL }).secret}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, async () => {
    await processor.stop()
    process.exit(0)
  })
