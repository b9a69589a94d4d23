import { leadRequest } from '@tributary/contract'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { programOfClickId } from '../../tracking/click-ids.ts'
import { recordLead } from '../../tracking/record-lead.ts'
import { recordTestEvent } from '../../tracking/record-test-event.ts'
import type { Call, Dependencies } from '../context.ts'
import { leadAnswer } from '../lead-answer.ts'
import { check, readJson, withWireNames } from '../read-json.ts'
import { testAnswer } from '../test-answer.ts'

/** POST /api/v1/track/lead without a key: the browser-side sign-up call. The click says whose program it is. */
export const browserLead = async (c: Call, dependencies: Dependencies) => {
  const request = check(leadRequest, withWireNames(await readJson(c)))
  if (request.additional_data.test_mode)
    return c.json(testAnswer('lead', await recordTest(dependencies, request.additional_data.program_id)))
  const programId = request.click_id ? programOfClickId(request.click_id) : null
  const program = programId === null ? undefined : await findProgram(dependencies.db, programId)
  if (!program)
    throw new Refusal(
      'click_not_found',
      'No click has this click_id. Send the value of the service_click_id cookie unchanged.',
      {
        field: 'click_id',
      },
    )
  return c.json(leadAnswer(await recordLead(dependencies, { program, event: 'browser_sign_up', request })))
}

const recordTest = async (dependencies: Dependencies, programId: number | null) => {
  const event =
    programId === null
      ? null
      : await recordTestEvent(dependencies, { programId, eventType: 'lead', details: { from: 'browser' } })
  if (event) return event
  throw new Refusal(
    'program_not_found',
    'Name your program in additional_data.program_id. The dashboard shows its ID in the program settings.',
    {
      status: 400,
      field: 'additional_data.program_id',
    },
  )
}
