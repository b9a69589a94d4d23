import { leadRequest } from '@tributary/contract'
import { recordAddress } from '../../tracking/leads/record-address.ts'
import { recordLead } from '../../tracking/leads/record-lead.ts'
import { recordTestEvent } from '../../tracking/set-up/record-test-event.ts'
import { leadAnswer, testAnswer } from '../answers/tracking-answers.ts'
import type { Call, Dependencies } from '../context.ts'
import { normalizeBody } from '../field-aliases.ts'
import { check, readJson } from '../read-json.ts'
import { markReplay, readIdempotencyKey } from './idempotency.ts'
import { refuseOtherProgram, requireKey } from './require-key.ts'

/** POST /api/v1/track/lead with an API key, from the merchant's server. */
export const serverLead = async (c: Call, dependencies: Dependencies) => {
  const program = await requireKey(c, dependencies)
  const body = normalizeBody(await readJson(c))
  const request = check(leadRequest, body)
  refuseOtherProgram(program, request)
  const once = readIdempotencyKey(c, dependencies, { program, body })
  if (request.additional_data.test_mode) {
    const details = { from: 'server', customer_key: request.customer_key ?? null, click_id: request.click_id ?? null }
    const test = { programId: program.id, eventType: 'lead', origin: 'server', details } as const
    const event = await recordTestEvent(dependencies, test, once)
    markReplay(c, event)
    return c.json(testAnswer('lead', event))
  }
  const lead = await recordLead(dependencies, { program, event: 'server_lead', request }, once)
  if (lead.outcome === 'duplicate') {
    const { email: address } = request
    await recordAddress(dependencies, { programId: program.id, customerKey: lead.customerKey, address })
  }
  markReplay(c, lead)
  return c.json(leadAnswer(lead))
}
