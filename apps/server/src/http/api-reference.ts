import { type Html, html, prose } from '../html.ts'
import {
  anchorOf,
  fieldTable,
  type Listed,
  methodBadge,
  type Operation,
  operationSection,
} from './reference/operation-section.ts'
import { page } from './reference/page.ts'
import { fieldsOf, type Schema } from './reference/schema-fields.ts'

type Document = {
  info: { title: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, unknown>>
  webhooks?: Record<string, { post: unknown }>
}

/** Groups the dashboard's calls by the last part of the path that matches. */
const SUBJECTS: [part: string, title: string][] = [
  ['tracking', 'Status and reports'],
  ['auth', 'Accounts'],
  ['workspaces', 'Workspaces'],
  ['members', 'Members'],
  ['invitations', 'Invitations'],
  ['programs', 'Programs'],
  ['api-keys', 'API keys'],
  ['partners', 'Partners'],
  ['links', 'Referral links'],
  ['reward', 'Rewards'],
  ['commissions', 'Commissions and balances'],
  ['balances', 'Commissions and balances'],
  ['ledger', 'Commissions and balances'],
  ['audit', 'Commissions and balances'],
  ['payouts', 'Payouts'],
  ['customers', 'Customers and sales'],
  ['sales', 'Customers and sales'],
  ['export', 'Files'],
]

const groupOf = ({ path, operation }: Listed) => {
  const [tag = 'Other'] = operation.tags
  if (tag !== 'Dashboard') return tag
  const parts = path.split('/')
  return SUBJECTS.findLast(([part]) => parts.includes(part))?.[1] ?? tag
}

/** Renders the OpenAPI document as one HTML page without scripts or external resources. */
export const apiReference = (document: Document, baseUrl: string): string => {
  const operations: Listed[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation: operation as Operation })),
  )
  const groups = Object.entries(Object.groupBy(operations, groupOf)).map(([title, calls = []]) => ({ title, calls }))
  const events = Object.entries(document.webhooks ?? {}).map(([type, { post }]) => ({
    type,
    ...(post as PublishedWebhook),
  }))
  const body = html`
<a class="skip" href="#content">Skip to content</a>
<div class="layout">
<nav aria-label="Contents">
<p class="brand"><a href="/">${document.info.title}</a> <span>API reference</span></p>
<ul><li><a href="#calling">Calling the API</a></li><li><a href="#errors">Errors</a></li></ul>
${groups.map(navigation)}
<h2><a href="#${groupAnchor(EVENTS)}">${EVENTS}</a></h2>
<ul>${events.map(({ type }) => html`<li><a href="#${anchorOfEvent(type)}">${type}</a></li>`)}</ul>
</nav>
<main id="content">
<h1>${document.info.title} API</h1>
<p class="lead">${prose(document.info.description)} Machine-readable version: <a href="/openapi.json">openapi.json</a>.</p>
${introduction(baseUrl)}
${groups.map(
  ({ title, calls }) => html`
<section class="group" id="${groupAnchor(title)}">
<h2>${title}</h2>
${document.tags.filter((tag) => tag.name === title).map((tag) => html`<p>${prose(tag.description)}</p>`)}
${calls.map((call) => operationSection(call, baseUrl))}
</section>`,
)}
<section class="group" id="${groupAnchor(EVENTS)}">
<h2>${EVENTS}</h2>
${document.tags.filter((tag) => tag.name === EVENTS).map((tag) => html`<p>${prose(tag.description)}</p>`)}
${events.map(webhookSection)}
</section>
</main>
</div>`
  return page({ title: `${document.info.title} API reference`, body })
}

/** The tag of the requests that the service sends. */
const EVENTS = 'Webhooks'

const groupAnchor = (title: string) => `group-${title.toLowerCase().replace(/[^a-z]+/g, '-')}`

const navigation = ({ title, calls }: { title: string; calls: Listed[] }): Html => html`
<h2><a href="#${groupAnchor(title)}">${title}</a></h2>
<ul>${calls.map((call) => html`<li><a href="#${anchorOf(call)}">${methodBadge(call.method)} ${call.operation.summary}</a></li>`)}</ul>`

const introduction = (baseUrl: string): Html => html`
<section class="group" id="calling">
<h2>Calling the API</h2>
<p>The base URL is <code>${baseUrl}</code>. Request and response bodies are JSON. There are four kinds of callers:</p>
<dl>
<dt>Web pages</dt><dd>Send clicks, and leads without an API key. Any origin may call; the referral link is the only credential.</dd>
<dt>Your server</dt><dd>Sends leads, sales and refunds with <code>Authorization: Bearer trk_…</code>, a program API key. Never put the key in a web page.</dd>
<dt>Workspace members</dt><dd><a href="#group-accounts">Sign in</a> and send the session cookie. The first account on an instance needs no invitation.</dd>
<dt>Partners</dt><dd>Sign in the same way and see only their own data: <a href="#group-partner-portal">Partner portal</a>.</dd>
</dl>
</section>
<section class="group" id="errors">
<h2>Errors</h2>
<p>A 2xx response means the change is committed. Every other response has the shape below. A 4xx or <code>overloaded</code> means nothing was recorded; after <code>unavailable</code> the outcome is unknown. <code>message</code> says what is wrong and how to fix it. <code>request_id</code> is also in the <code>X-Request-Id</code> header. After a 429 or 503, wait <code>Retry-After</code> seconds and send the same call again.</p>
<pre tabindex="0"><code>${ERROR_EXAMPLE}</code></pre>
</section>`

const ERROR_EXAMPLE = `{
  "success": false,
  "error": {
    "code": "missing_aff",
    "message": "affiliate_url has no aff parameter. Send the full URL of the referral link.",
    "field": "affiliate_url",
    "request_id": "5f0c3c1e-6f0e-4f5b-8c1d-0a4c8f1f7e11"
  }
}`

type PublishedWebhook = {
  summary: string
  description: string
  requestBody: { content: { 'application/json': { schema: Schema; example: object } } }
}

const anchorOfEvent = (type: string) => `event-${type.replace('.', '-')}`

/** The documentation of one type of event, as endpoints receive it. */
const webhookSection = ({ type, summary, description, requestBody }: PublishedWebhook & { type: string }): Html => {
  const { schema, example } = requestBody.content['application/json']
  return html`
<section class="event operation" id="${anchorOfEvent(type)}">
<h3><a href="#${anchorOfEvent(type)}">${type}</a></h3>
<p class="endpoint">${methodBadge('post')} <code>your endpoint</code></p>
<p>${prose(summary)}. ${prose(description)}</p>
<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>
${fieldTable('Request body', fieldsOf(schema), { showsRequired: false })}
</section>`
}
