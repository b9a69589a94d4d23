import type { Config } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import { adoptSecrets, findPreparedSecrets, type Secrets } from '../secrets.ts'
import { isSessionSecretOf } from './operator.ts'

type Instance = { config: Pick<Config, 'dataDir' | 'givenSecrets'>; secrets: Secrets }

/**
 * A rotation that was killed after its commit leaves the new secret prepared and the old one in use. The database decides: whatever
 * decrypts its authenticator secrets is the session secret. The prepared file stays if it does not, because a rotation may be running.
 */
export const settleSessionSecret = async (db: Database, { config, secrets }: Instance): Promise<Secrets> => {
  const prepared = config.givenSecrets ? null : findPreparedSecrets(config.dataDir)
  if (!prepared || !(await isSessionSecretOf(db, prepared.sessionSecret))) return secrets
  adoptSecrets(config.dataDir, prepared)
  return prepared
}
