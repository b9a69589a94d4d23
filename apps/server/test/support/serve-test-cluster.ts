/** The test runner's own process for Postgres: prints its addresses and stops when the runner ends. */
import { startTestCluster } from './test-cluster.ts'

// Ctrl-C reaches everybody; the runner still needs us, and closes our input when it does not.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})

const { url, serviceUrl, stop } = await startTestCluster()
console.log(JSON.stringify({ url, serviceUrl }))
for await (const _ of Bun.stdin.stream());
await stop()
process.exit(0)
