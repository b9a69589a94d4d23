/** The proxy as a separate process: in the load's process, the load would slow it down. */
import { openDatabaseProxy } from './database-proxy.ts'

const [socketFolder = '', bytesPerSecond = ''] = process.argv.slice(2)
const { port } = await openDatabaseProxy({ socketFolder, clickBytesPerSecond: Number(bytesPerSecond) })
process.send?.(port)
