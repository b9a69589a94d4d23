import { leadRequest } from '@tributary/contract'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { programOfClickId } from '../../tracking/clicks/click-ids.ts'
import { recordAddress } from '../../tracking/leads/record-address.ts'
import { recordLead } from '../../tracking/leads/record-lead.ts'
import { recordTestEvent } from '../../tracking/set-up/record-test-event.ts'
import { leadAnswer, testAnswer } from '../answers/tracking-answers.ts'
import type { Call, Dependencies } from '../context.ts'
import { normalizeBody } from '../field-aliases.ts'
import { check, readJson } from '../read-json.ts'
import { testOriginOf } from './test-origin.ts'

/** POST /api/v1/track/lead without a key, from the browser. The click determines the program. */
export const browserLead = async (c: Call, dependencies: Dependencies) => {
  const { db } = dependencies
  const request = check(leadRequest, normalizeBody(await readJson(c)))
  const { test_mode, program_id } = request.additional_data
  if (test_mode) {
    const caller = { headers: c.req.raw.headers, ip: c.get('clientIp') }
    const origin = await testOriginOf(dependencies, caller)(program_id)
    const event = { programId: program_id, eventType: 'lead', origin, details: { from: 'browser' } } as const
    return c.json(testAnswer('lead', await recordTestEvent(dependencies, event)))
  }
  const programId = request.click_id ? programOfClickId(request.click_id) : null
  const program = programId === null ? undefined : await findProgram(db, programId)
  if (!program)
    throw new Refusal(
      'click_not_found',
      request.click_id
        ? 'No click has this click_id. Send the value of the service_click_id cookie unchanged.'
        : 'click_id is missing. Send the value of the service_click_id cookie. From a server, also send your API key and customer_key.',
      {
        field: 'click_id',
      },
    )
  const lead = await recordLead(dependencies, { program, event: 'browser_sign_up', request })
  if (lead.outcome === 'duplicate_in_browser' && program.leadAuth === 'browser_allowed' && request.customer_key) {
    const { customer_key: customerKey, email: address } = request
    await recordAddress(dependencies, { programId: program.id, customerKey, address, browserClickId: lead.clickId })
  }
  return c.json(leadAnswer(lead))
}
