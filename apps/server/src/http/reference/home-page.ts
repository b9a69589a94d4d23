import type { SetUp } from '../../accounts/set-up.ts'
import { html } from './html.ts'
import { page } from './page.ts'

const NEXT: Record<SetUp, string> = {
  empty: 'Nobody has an account yet. The first one needs no invitation; the quickstart shows how.',
  demo: 'There is a demo to look around in. Its sign-in was printed where the service was started. Your own first account needs no invitation.',
  'in use': 'This instance is set up. Ask a member of your workspace for an invitation link.',
}

/** What stands at `/` until there is a dashboard: what this is, and where the rest is. */
export const homePage = (setUp: SetUp) =>
  page({
    title: 'Tributary',
    body: html`
<main class="home">
<h1>Tributary</h1>
<p class="lead">Referral tracking that you run yourself: clicks, sign-ups and sales, attributed to the partners who brought them.</p>
<p>${NEXT[setUp]}</p>
<dl>
<dt><a href="/docs">API reference</a></dt><dd>Every call, with its fields, errors and an example.</dd>
<dt><a href="/openapi.json">OpenAPI file</a></dt><dd>The same for machines and code generators.</dd>
<dt><a href="/healthz">Health</a>, <a href="/readyz">readiness</a>, <a href="/metrics">metrics</a></dt><dd>For whoever runs the service.</dd>
</dl>
<p class="caller">The screens of the dashboard are still to come. Until then, everything that they will do is done over the API.</p>
</main>`,
  })
