import { Button } from './controls/button.tsx'
import { CopyButton } from './copy.tsx'

type Props = {
  invitation: { url?: string | undefined; email: string; mailed?: boolean | undefined }
  /** What the link does and when it expires. */
  terms: string
  onDone: () => void
}

/** Shows a new invitation link, and whether it was emailed. */
export const InvitationLink = ({ invitation: { url, email, mailed }, terms, onDone }: Props) => (
  <div className="flex flex-col gap-4">
    {mailed === false && (
      <p role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
        {url
          ? 'The email could not be sent. Copy the link and send it yourself.'
          : 'The email could not be sent. Try again later, or ask an owner or admin to create the invitation.'}
      </p>
    )}
    {(url || mailed) && (
      <p className="text-soft text-sm">
        {mailed ? `This link was emailed to ${email}.` : `Send this link to ${email}.`} {terms}
      </p>
    )}
    {url && (
      <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3">
        <code data-testid="invitation" className="min-w-0 flex-1 break-all font-mono text-xs">
          {url}
        </code>
        <CopyButton text={url} label="Copy link" look="secondary" />
      </div>
    )}
    <div className="flex justify-end">
      <Button look="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  </div>
)
