import { leadRequest } from '@tributary/contract'
import { recordLead } from '../../tracking/record-lead.ts'
import { recordTestEvent } from '../../tracking/record-test-event.ts'
import type { Call, Dependencies } from '../context.ts'
import { leadAnswer } from '../lead-answer.ts'
import { check, readJson } from '../read-json.ts'
import { testAnswer } from '../test-answer.ts'
import { asMeant } from '../wire-names.ts'
import { refuseOtherProgram, requireKey } from './require-key.ts'

/** POST /api/v1/track/lead with a key: the merchant's server says who signed up. */
export const serverLead = async (c: Call, dependencies: Dependencies) => {
  const program = await requireKey(c, dependencies)
  const request = check(leadRequest, asMeant(await readJson(c)))
  refuseOtherProgram(program, request)
  if (request.additional_data.test_mode) {
    const details = { from: 'server', customer_key: request.customer_key ?? null, click_id: request.click_id ?? null }
    const event = await recordTestEvent(dependencies, { programId: program.id, eventType: 'lead', details })
    return c.json(testAnswer('lead', event))
  }
  return c.json(leadAnswer(await recordLead(dependencies, { program, event: 'server_lead', request })))
}
