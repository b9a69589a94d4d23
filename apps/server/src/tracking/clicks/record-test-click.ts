import { type ClickRequest, MAX_AFF_LENGTH, type TestOrigin } from '@tributary/contract'
import type { Clock } from '../../clock.ts'
import type { Databases } from '../../database/shards.ts'
import { findCodeOwner } from '../../partners/code-links.ts'
import { programOfLink } from '../../partners/link-names.ts'
import { findLinkByAff } from '../../partners/referral-links.ts'
import { findProgram } from '../../programs/programs.ts'
import { recordTestEvent, testRefusal } from '../set-up/record-test-event.ts'
import { readAff } from './record-click.ts'

const findLinkOrCode = async (databases: Databases, aff: string) => {
  const programId = await programOfLink(databases.directory, aff)
  const link = programId === null ? undefined : await findLinkByAff(databases.shards.ofProgram(programId), aff)
  return link ?? (await findCodeOwner(databases, aff)) ?? undefined
}

/** A test click works before the first partner exists: without a matching link, `additional_data.program_id` is used. */
export const recordTestClick = async (
  dependencies: Databases & { clock: Clock },
  { request, originIn }: { request: ClickRequest; originIn: (programId: number | null) => Promise<TestOrigin | null> },
) => {
  const aff = readAff(request.affiliate_url)
  const requested = request.additional_data.program_id
  const isStorable = aff.length <= MAX_AFF_LENGTH && !aff.includes('\0')
  const link = isStorable ? await findLinkOrCode(dependencies, aff) : undefined
  const isMismatch = link?.programId && requested !== null && requested !== link.programId
  if (isMismatch && (await findProgram(dependencies.shards.ofProgram(requested), requested)))
    throw testRefusal(
      'program_mismatch',
      "additional_data.program_id must be the program of this link. Send that program's ID, or use one of its links.",
    )
  const details = { aff: isStorable ? aff.toWellFormed() : null, page_url: request.page_url }
  const programId = link?.programId ?? requested
  const origin = await originIn(programId)
  const db = dependencies.shards.ofProgram(programId ?? 0)
  return recordTestEvent({ ...dependencies, db }, { programId, eventType: 'click', origin, details })
}
