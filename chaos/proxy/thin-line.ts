/** The proxy as a process of its own: in the one that makes the load, the load would slow it down. */
import { openDatabaseProxy } from './database-proxy.ts'

const [socketFolder = '', bytesPerSecond = ''] = process.argv.slice(2)
const { port } = await openDatabaseProxy({ socketFolder, clickBytesPerSecond: Number(bytesPerSecond) })
process.send?.(port)
