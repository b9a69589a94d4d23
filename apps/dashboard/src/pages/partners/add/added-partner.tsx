import { useEffect, useRef } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { formatDate } from '~/components/format/format.ts'
import { NoWebsite } from '~/pages/links/no-website.tsx'
import { shareAddress } from '~/pages/links/share-address.ts'
import { notALink } from '../partner/link-code.ts'
import { DevelopmentNote } from './link-preview.tsx'
import type { Added, Invitation } from './use-add-partners.ts'

type Props = { added: Added; onAgain: () => void; onDone: () => void }

export const AddedPartner = ({ added: { partner, invitation }, onAgain, onDone }: Props) => {
  const place = useRef<HTMLDivElement>(null)
  // The form's button is gone, so the focus would be lost.
  useEffect(() => place.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={place} className="flex flex-col gap-4">
      <PartnerLink partner={partner} />
      {invitation !== null && <InvitationPart name={partner.name} invitation={invitation} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onAgain}>Add another</Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  )
}

const PartnerLink = ({ partner: { code, codeAsAff } }: { partner: Added['partner'] }) => {
  const { program } = useProgram()
  if (codeAsAff === 'taken') return <p className="text-sm text-warn-ink">{notALink(code)}</p>
  const address = shareAddress({ aff: code, destinationUrl: null, websites: program.websites })
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">Link</p>
      <div className="flex items-center gap-3 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3">
        <span className="min-w-0 flex-1 break-all font-medium text-sm">{address ?? <NoWebsite />}</span>
        {address && <CopyButton text={address} label="Copy link" look="primary" size="medium" />}
      </div>
      <DevelopmentNote />
    </div>
  )
}

const InvitationPart = ({ name, invitation }: { name: string; invitation: Invitation | string }) => {
  if (typeof invitation === 'string') return <NotInvited name={name} reason={invitation} />
  const { url, email, mailed, expiresAt } = invitation
  const expiry = `It expires on ${formatDate(expiresAt)}.`
  if (mailed)
    return (
      <p role="status" className="text-soft text-sm">
        <span className="font-medium text-ink">Invitation sent</span> to {email}. {expiry}
      </p>
    )
  if (!url) return <NotInvited name={name} reason="The email could not be sent." />
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">Invitation to the partner portal</p>
      <div className="flex items-center gap-3 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3">
        <span className="min-w-0 flex-1 truncate text-soft text-sm">{url.replace(/^https?:\/\//, '')}</span>
        <CopyButton text={url} label="Copy invitation" look="secondary" size="medium" />
      </div>
      <p className="mt-1.5 text-faint text-xs">
        {mailed === false && 'The email could not be sent. '}
        Send it to {email}. {expiry}
      </p>
    </div>
  )
}

const NotInvited = ({ name, reason }: { name: string; reason: string }) => (
  <p role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
    {name} was not invited: {reason} You can invite them on their page.
  </p>
)
