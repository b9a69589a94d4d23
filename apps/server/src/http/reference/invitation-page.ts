import { html } from './html.ts'
import { page } from './page.ts'

type Invitation = { id: string; email: string; role: string; workspaceName: string; expiresAt: Date }

/** What whoever was handed an invitation link sees, until there is a dashboard to accept it in. */
export const invitationPage = (invitation: Invitation | undefined, baseUrl: string) =>
  page({
    title: 'Invitation to Tributary',
    body: invitation
      ? html`
<main class="home">
<h1>You are invited</h1>
<p class="lead">${invitation.email} is invited to the workspace ${invitation.workspaceName} as ${invitation.role}, until ${invitation.expiresAt.toISOString().slice(0, 10)}.</p>
<p>There are no screens for this yet. With an account of your own (leave the first command out if you have one):</p>
<pre tabindex="0"><code>${commands(invitation, baseUrl)}</code></pre>
</main>`
      : html`
<main class="home">
<h1>This invitation is over</h1>
<p class="lead">It does not exist, was used, was withdrawn, or has expired. Ask whoever sent it for a new one.</p>
</main>`,
  })

const commands = (
  { id, email }: Invitation,
  baseUrl: string,
) => `curl -c cookies.txt ${baseUrl}/api/auth/sign-up/email \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify({ name: 'Your name', email, password: 'at least 8 characters', invitationId: id })}'

curl -b cookies.txt -X POST ${baseUrl}/api/invitations/${id}/accept`
