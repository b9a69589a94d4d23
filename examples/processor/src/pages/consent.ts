import { html } from 'hono/html'
import type { Account } from '../objects/account.ts'
import { page } from './layout.ts'

type ConsentRequest = { accounts: Account[]; clientId: string; redirectUri: string; state: string; scope: string }

/** The page where a merchant grants or denies a platform access. */
export const consentPage = ({ accounts, redirectUri, state, scope }: ConsentRequest) =>
  page(
    'Connect an account',
    html`<h1>Connect your account</h1>
      <p class="soft">The platform will see events of the account you choose.</p>
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
        <button name="answer" value="deny">Cancel</button>
      </form>`,
    { narrow: true },
  )
