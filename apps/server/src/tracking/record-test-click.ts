import { type ClickRequest, MAX_AFF_LENGTH, TEST_CLICK_ERROR_STATUS } from '@tributary/contract'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { findLinkByAff } from '../partners/referral-links.ts'
import { Refusal } from '../refusal.ts'
import { affOf } from './record-click.ts'
import { recordTestEvent } from './record-test-event.ts'

const refused = (code: keyof typeof TEST_CLICK_ERROR_STATUS, message: string) =>
  new Refusal(code, message, { status: TEST_CLICK_ERROR_STATUS[code], field: 'additional_data.program_id' })

/** A test click needs no link yet, so that the check works before the first partner exists: then it names its program. */
export const recordTestClick = async (dependencies: { db: Database; clock: Clock }, request: ClickRequest) => {
  const aff = affOf(request.affiliate_url)
  const named = request.additional_data.program_id
  const storable = aff.length <= MAX_AFF_LENGTH && !aff.includes('\0')
  const link = storable ? await findLinkByAff(dependencies.db, aff) : undefined
  const programId = link?.programId ?? named
  if (programId === null)
    throw refused(
      'program_not_found',
      'No link has this aff value, so name your program in additional_data.program_id.',
    )
  if (named !== null && named !== programId)
    throw refused('program_mismatch', 'This link belongs to another program than additional_data.program_id.')
  const details = { aff: storable ? aff.toWellFormed() : null, page_url: request.page_url }
  const event = await recordTestEvent(dependencies, { programId, eventType: 'click', details })
  if (!event)
    throw refused(
      'program_not_found',
      'There is no program with this ID. The dashboard shows it in the program settings.',
    )
  return event
}
