import { type Html, html, prose } from '../html.ts'
import { anchorOf, type Listed, methodBadge, type Operation, operationSection } from './reference/operation-section.ts'
import { page } from './reference/page.ts'

type Document = {
  info: { title: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, unknown>>
}

/** What the dashboard's calls are about, by the last word of their path that says so. */
const SUBJECTS: [word: string, title: string][] = [
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
  // The portal has words of its own for what the dashboard has too.
  if (tag !== 'Dashboard') return tag
  const words = path.split('/')
  return SUBJECTS.findLast(([word]) => words.includes(word))?.[1] ?? tag
}

/** The OpenAPI document as one page that a person can read: no scripts, nothing from elsewhere. */
export const apiReference = (document: Document, baseUrl: string): string => {
  const operations: Listed[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation: operation as Operation })),
  )
  const groups = Object.entries(Object.groupBy(operations, groupOf)).map(([title, calls = []]) => ({ title, calls }))
  const body = html`
<a class="skip" href="#content">Skip to the content</a>
<div class="layout">
<nav aria-label="Contents">
<p class="brand"><a href="/">${document.info.title}</a> <span>API reference</span></p>
<ul><li><a href="#calling">Calling the API</a></li><li><a href="#errors">Errors</a></li></ul>
${groups.map(navigation)}
</nav>
<main id="content">
<h1>${document.info.title} API</h1>
<p class="lead">${prose(document.info.description)} The same, for machines: <a href="/openapi.json">openapi.json</a>.</p>
${introduction(baseUrl)}
${groups.map(
  ({ title, calls }) => html`
<section class="group" id="${groupAnchor(title)}">
<h2>${title}</h2>
${document.tags.filter((tag) => tag.name === title).map((tag) => html`<p>${prose(tag.description)}</p>`)}
${calls.map((call) => operationSection(call, baseUrl))}
</section>`,
)}
</main>
</div>`
  return page({ title: `${document.info.title} API reference`, body })
}

const groupAnchor = (title: string) => `group-${title.toLowerCase().replace(/[^a-z]+/g, '-')}`

const navigation = ({ title, calls }: { title: string; calls: Listed[] }): Html => html`
<h2><a href="#${groupAnchor(title)}">${title}</a></h2>
<ul>${calls.map((call) => html`<li><a href="#${anchorOf(call)}">${methodBadge(call.method)} ${call.operation.summary}</a></li>`)}</ul>`

const introduction = (baseUrl: string): Html => html`
<section class="group" id="calling">
<h2>Calling the API</h2>
<p>All calls go to <code>${baseUrl}</code>. Bodies are JSON. There are four kinds of callers:</p>
<dl>
<dt>Web pages</dt><dd>Record clicks, and sign-ups without a key. Any origin may call; the referral link is the only credential.</dd>
<dt>A merchant’s server</dt><dd>Sends <code>authorization: Bearer trk_…</code>, an API key of the program. Keep it off web pages.</dd>
<dt>Members of a workspace</dt><dd><a href="#group-accounts">Sign in</a> and send the session cookie. The first account of an instance needs no invitation.</dd>
<dt>Partners</dt><dd>Sign in the same way, with an account of their own. Of a program they see what is theirs: <a href="#group-partner-portal">Partner portal</a>.</dd>
</dl>
</section>
<section class="group" id="errors">
<h2>Errors</h2>
<p>2xx means committed. Every other answer has the same shape, and 4xx and 503 mean that nothing was recorded. <code>message</code> says what to do next; <code>request_id</code> is also in the <code>X-Request-Id</code> header. After 429 and 503 wait for <code>Retry-After</code> seconds and send the same call again.</p>
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
