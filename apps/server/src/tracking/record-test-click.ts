import { type ClickRequest, MAX_AFF_LENGTH } from '@tributary/contract'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { findLinkByAff } from '../partners/referral-links.ts'
import { findProgram } from '../programs/programs.ts'
import { affOf } from './record-click.ts'
import { recordTestEvent, refusedTest } from './record-test-event.ts'

/** A test click needs no link yet, so that the check works before the first partner exists: then it names its program. */
export const recordTestClick = async (dependencies: { db: Database; clock: Clock }, request: ClickRequest) => {
  const aff = affOf(request.affiliate_url)
  const named = request.additional_data.program_id
  const storable = aff.length <= MAX_AFF_LENGTH && !aff.includes('\0')
  const link = storable ? await findLinkByAff(dependencies.db, aff) : undefined
  const isOther = link?.programId && named !== null && named !== link.programId
  if (isOther && (await findProgram(dependencies.db, named)))
    throw refusedTest('program_mismatch', 'This link belongs to another program than additional_data.program_id.')
  const details = { aff: storable ? aff.toWellFormed() : null, page_url: request.page_url }
  return recordTestEvent(dependencies, { programId: link?.programId ?? named, eventType: 'click', details })
}
