import { useEffect, useRef } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { formatCount } from '~/components/format/format.ts'
import { NoWebsite } from '~/pages/links/no-website.tsx'
import { shareAddress } from '~/pages/links/share-address.ts'
import { DevelopmentNote } from './link-preview.tsx'
import type { Added, Invitation, Outcome } from './use-add-partners.ts'

/** The links and invitations of several partners, and why others were not added. */
export const AddedPartners = ({ outcome, onDone }: { outcome: Outcome; onDone: () => void }) => {
  const { program } = useProgram()
  const { added, refused, stopped } = outcome
  const place = useRef<HTMLDivElement>(null)
  // The form's button is gone, so the focus would be lost.
  useEffect(() => place.current?.querySelector('button')?.focus(), [])
  const linkOf = ({ partner: { code, codeAsAff } }: Added) =>
    codeAsAff === 'taken' ? null : shareAddress({ aff: code, destinationUrl: null, websites: program.websites })
  const links = added.flatMap((one) => {
    const address = linkOf(one)
    return address ? [`${one.partner.name}\t${address}`] : []
  })
  const invitations = added.flatMap(({ partner: { name }, invitation }) => {
    const made = madeInvitation(invitation)
    return made?.url && !made.mailed ? [`${name}\t${made.email}\t${made.url}`] : []
  })
  const sent = added.filter(({ invitation }) => madeInvitation(invitation)?.mailed).length
  return (
    <div ref={place} className="flex flex-col gap-4">
      {stopped !== undefined && <Stopped error={stopped} />}
      {links.length > 0 && (
        <div className="flex flex-wrap gap-2">
          <CopyButton text={links.join('\n')} label="Copy links" look="primary" size="medium" />
          {invitations.length > 0 && (
            <CopyButton text={invitations.join('\n')} label="Copy invitations" look="secondary" size="medium" />
          )}
        </div>
      )}
      {sent > 0 && (
        <p role="status" className="text-sm">
          {formatCount(sent, 'invitation')} sent.
        </p>
      )}
      <ul className="flex max-h-64 flex-col divide-y divide-line overflow-y-auto rounded-lg border border-line">
        {added.map((one) => (
          <li key={one.partner.id} className="px-3 py-2 text-sm">
            <p className="font-medium">{one.partner.name}</p>
            <p className="break-all text-faint text-xs">
              {linkOf(one) ??
                (one.partner.codeAsAff === 'taken' ? `“${one.partner.code}” is taken as a link.` : <NoWebsite />)}
            </p>
            {typeof one.invitation === 'string' && (
              <p className="text-warn-ink text-xs">Not invited: {one.invitation}</p>
            )}
          </li>
        ))}
        {refused.map(({ partner, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and lines may be equal.
          <li key={index} className="px-3 py-2 text-sm">
            <p className="font-medium">{partner.name}</p>
            <p className="text-bad-ink text-xs">Not added: {reason}</p>
          </li>
        ))}
      </ul>
      <DevelopmentNote />
      <div className="flex justify-end">
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  )
}

const madeInvitation = (invitation: Added['invitation']): Invitation | null =>
  typeof invitation === 'string' ? null : invitation

const Stopped = ({ error }: { error: unknown }) => (
  <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad-ink text-sm">
    {error instanceof Error ? error.message : 'Something went wrong.'} The partners below were added. Add the rest
    again.
  </p>
)
