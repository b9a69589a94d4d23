import { html } from 'hono/html'
import type { Account } from '../objects/account.ts'
import { page } from './layout.ts'

type Asked = { accounts: Account[]; clientId: string; redirectUri: string; state: string; scope: string }

/** Where a merchant lets a platform in, or does not. */
export const consentPage = ({ accounts, redirectUri, state, scope }: Asked) =>
  page(
    'Connect an account',
    html`<h1>A platform asks for access</h1>
      <p class="soft">It will see the events of the account that you choose.</p>
      <form method="post" action="/oauth/authorize" class="stack">
        <input type="hidden" name="redirect_uri" value="${redirectUri}">
        <input type="hidden" name="state" value="${state}">
        <input type="hidden" name="scope" value="${scope}">
        <label class="stack">Account
          <select name="account">
            ${accounts.map(({ id, name }) => html`<option value="${id}">${name} (${id})</option>`)}
          </select>
        </label>
        <button class="main" name="answer" value="connect">Connect</button>
        <button name="answer" value="deny">Do not connect</button>
      </form>`,
    { narrow: true },
  )
