import { type ClickRequest, MAX_AFF_LENGTH, type TestOrigin } from '@tributary/contract'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { findCodeOwner } from '../../partners/code-links.ts'
import { findLinkByAff } from '../../partners/referral-links.ts'
import { findProgram } from '../../programs/programs.ts'
import { recordTestEvent, testRefusal } from '../set-up/record-test-event.ts'
import { readAffiliateUrl } from './record-click.ts'

const findLinkOrCode = async (db: Database, aff: string) =>
  (await findLinkByAff(db, aff)) ?? (await findCodeOwner(db, aff)) ?? undefined

/** A test click works before the first partner exists: without a matching link, `additional_data.program_id` is used. */
export const recordTestClick = async (
  dependencies: { db: Database; clock: Clock },
  { request, originIn }: { request: ClickRequest; originIn: (programId: number | null) => Promise<TestOrigin | null> },
) => {
  const { aff } = readAffiliateUrl(request.affiliate_url)
  const requested = request.additional_data.program_id
  const isStorable = aff.length <= MAX_AFF_LENGTH && !aff.includes('\0')
  const link = isStorable ? await findLinkOrCode(dependencies.db, aff) : undefined
  const isMismatch = link?.programId && requested !== null && requested !== link.programId
  if (isMismatch && (await findProgram(dependencies.db, requested)))
    throw testRefusal(
      'program_mismatch',
      "additional_data.program_id must be the program of this link. Send that program's ID, or use one of its links.",
    )
  const details = { aff: isStorable ? aff.toWellFormed() : null, page_url: request.page_url }
  const programId = link?.programId ?? requested
  const origin = await originIn(programId)
  return recordTestEvent(dependencies, { programId, eventType: 'click', origin, details })
}
