import { openPool } from '../../src/database/connect.ts'
import { startTestCluster, TEMPLATE, withDatabase } from './test-cluster.ts'

type Cluster = { url: string; serviceUrl: string; stop?: () => Promise<void> }

/** The runner's cluster, which all of its processes share; without the runner, one for this process. */
const findCluster = async (): Promise<Cluster> =>
  process.env.TEST_CLUSTER ? JSON.parse(process.env.TEST_CLUSTER) : startTestCluster()

const open = async () => {
  const cluster = await findCluster()
  return { ...cluster, admin: openPool(cluster.url, { max: 1, noTimeouts: true }), databases: 0 }
}

const shared = globalThis as typeof globalThis & { testPostgres?: ReturnType<typeof open> | undefined }

const sharedCluster = () => {
  shared.testPostgres ??= open()
  return shared.testPostgres
}

export const closeTestPostgres = async () => {
  const cluster = await shared.testPostgres
  shared.testPostgres = undefined
  await cluster?.admin.end()
  await cluster?.stop?.()
}

/** The same database with the service's login, which owns nothing. */
export const asService = async (databaseUrl: string) => {
  const { serviceUrl } = await sharedCluster()
  return withDatabase(serviceUrl, databaseNameOf(databaseUrl))
}

const databaseNameOf = (databaseUrl: string) => new URL(databaseUrl).pathname.slice(1)

/** A separate database for a test file: a copy of the migrated template. */
export const createTestDatabase = async (from = TEMPLATE) => {
  const cluster = await sharedCluster()
  const name = `test_${process.pid}_${Date.now()}_${++cluster.databases}`
  await cluster.admin.query(`CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY`)
  return withDatabase(cluster.url, name)
}

/** Frees memory as soon as a file has ended. */
export const dropTestDatabase = async (databaseUrl: string) => {
  const { admin } = await sharedCluster()
  await admin.query(`DROP DATABASE IF EXISTS ${databaseNameOf(databaseUrl)} WITH (FORCE)`)
}
