/** The first step of a start: the embedded Postgres of DATA_DIR, for as long as this process lives. */
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { loadSecrets } from '../../src/secrets.ts'

const dataDir = process.env.DATA_DIR ?? ''
await startEmbeddedPostgres({ dataDir, password: loadSecrets(dataDir).databasePassword })
console.log('Postgres runs')
