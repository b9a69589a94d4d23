import { leadRequest } from '@tributary/contract'
import { findProgram } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { programOfClickId } from '../tracking/clicks/click-ids.ts'
import { recordAddress } from '../tracking/leads/record-address.ts'
import { type RecordedLead, recordLead } from '../tracking/leads/record-lead.ts'
import { recordTestEvent } from '../tracking/set-up/record-test-event.ts'
import { testAnswer } from './answers/tracking-answers.ts'
import type { App, Call, Dependencies } from './context.ts'
import { markReplay, readIdempotencyKey, refuseOtherProgram, requireKey } from './keyed/keyed-call.ts'
import { testOriginOf } from './public/test-origin.ts'
import { check, normalizeBody, readJson } from './read-json.ts'

/** POST /api/v1/track/lead: an `Authorization` header means it comes from the merchant's server, otherwise from a browser. */
export const trackLead = (app: App, dependencies: Dependencies) =>
  app.post('/api/v1/track/lead', (c) =>
    c.req.header('authorization') === undefined ? browserLead(c, dependencies) : serverLead(c, dependencies),
  )

/** POST /api/v1/track/lead with an API key, from the merchant's server. */
const serverLead = async (c: Call, dependencies: Dependencies) => {
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

/** POST /api/v1/track/lead without a key, from the browser. The click determines the program. */
const browserLead = async (c: Call, dependencies: Dependencies) => {
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

const leadAnswer = (lead: RecordedLead) => {
  switch (lead.outcome) {
    case 'provisional':
      return { success: true, click_id: lead.clickId, provisional: true }
    case 'duplicate_in_browser':
      return { success: true, click_id: lead.clickId, duplicate: true }
    default: {
      const { leadId, customerKey, clickId, creditedBy } = lead
      const duplicate = lead.outcome === 'duplicate' ? true : undefined
      return {
        success: true,
        lead_id: leadId,
        customer_key: customerKey,
        // Only the record of a click has the ID of one. Responses stored before there were other credits name none.
        click_id: (creditedBy ?? 'click') === 'click' ? clickId : undefined,
        credited_by: creditedBy,
        duplicate,
      }
    }
  }
}
