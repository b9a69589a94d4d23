/** The test runner's own process for Postgres: prints its addresses and stops when the runner ends. */
import { startTestCluster } from './test-cluster.ts'

const { url, serviceUrl, stop } = await startTestCluster()
console.log(JSON.stringify({ url, serviceUrl }))
for await (const _ of Bun.stdin.stream());
await stop()
process.exit(0)
