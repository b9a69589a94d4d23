import type { Database } from '../../../database/connect.ts'
import { partnerExists } from '../../../partners/partners.ts'
import type { Call } from '../../context.ts'
import { orNotFound, pathId } from '../../lists.ts'

/** The partner ID in the path. Throws if it is not a partner of the program. */
export const partnerIdInPath = async (c: Call, db: Database) => {
  const id = orNotFound(pathId(c, 'partnerId'), 'partner')
  return orNotFound((await partnerExists(db, { programId: c.get('program').id, id })) ? id : null, 'partner')
}
