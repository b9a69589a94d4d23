import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Starts the Postgres that all test processes share. It stops when its standard input closes, however we end. */
export const startCluster = async ({ root, bun }) => {
  const cluster = spawn(bun, ['apps/server/test/support/serve-test-cluster.ts'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(cluster, 'exit').then(() => {
    throw new Error('The Postgres for the tests did not start.')
  })
  const [addresses] = await Promise.race([once(createInterface({ input: cluster.stdout }), 'line'), ended])
  ended.catch(() => {})
  const stop = async () => {
    cluster.stdin.end()
    if (cluster.exitCode === null) await once(cluster, 'exit')
  }
  return { env: { TEST_CLUSTER: addresses }, stop }
}
