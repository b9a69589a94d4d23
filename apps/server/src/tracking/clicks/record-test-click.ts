import { type ClickRequest, MAX_AFF_LENGTH, type TestOrigin } from '@tributary/contract'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { findCodeOwner } from '../../partners/code-links.ts'
import { findLinkByAff } from '../../partners/referral-links.ts'
import { findProgram } from '../../programs/programs.ts'
import { recordTestEvent, refusedTest } from '../set-up/record-test-event.ts'
import { affOf } from './record-click.ts'

const linkOrCode = async (db: Database, aff: string) =>
  (await findLinkByAff(db, aff)) ?? (await findCodeOwner(db, aff)) ?? undefined

/** A test click needs no link yet, so that the check works before the first partner exists: then it names its program. */
export const recordTestClick = async (
  dependencies: { db: Database; clock: Clock },
  { request, originIn }: { request: ClickRequest; originIn: (programId: number | null) => Promise<TestOrigin | null> },
) => {
  const aff = affOf(request.affiliate_url)
  const named = request.additional_data.program_id
  const storable = aff.length <= MAX_AFF_LENGTH && !aff.includes('\0')
  const link = storable ? await linkOrCode(dependencies.db, aff) : undefined
  const isOther = link?.programId && named !== null && named !== link.programId
  if (isOther && (await findProgram(dependencies.db, named)))
    throw refusedTest('program_mismatch', 'This link belongs to another program than additional_data.program_id.')
  const details = { aff: storable ? aff.toWellFormed() : null, page_url: request.page_url }
  const programId = link?.programId ?? named
  const origin = await originIn(programId)
  return recordTestEvent(dependencies, { programId, eventType: 'click', origin, details })
}
