/** The test runner's Postgres process: prints its addresses and stops when the runner ends. */
import { startTestCluster } from './test-cluster.ts'

// Ctrl-C reaches every process; the runner still needs this one, and closes our input when it is done.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})

const { url, serviceUrl, stop } = await startTestCluster()
console.log(JSON.stringify({ url, serviceUrl }))
for await (const _ of Bun.stdin.stream());
await stop()
process.exit(0)
