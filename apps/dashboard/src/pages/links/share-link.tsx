import type { ReferralLink } from '@tributary/contract'
import { destinationOf, isOnWebsites, originOf } from '@tributary/contract/origins'
import { lazy, Suspense, useState } from 'react'
import { rethrowLoadError } from '~/api/fetch-screen.ts'
import { Field, Input } from '~/components/controls/field.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { Skeleton } from '~/components/skeleton.tsx'
import { NativeShare } from './native-share.tsx'
import { type ShareOptions, shareAddress, type UtmName } from './share-address.ts'

const SharedQrCode = lazy(() =>
  import('./shared-qr-code.tsx').then(({ SharedQrCode }) => ({ default: SharedQrCode })).catch(rethrowLoadError),
)

type Shared = Pick<ReferralLink, 'id' | 'aff' | 'destinationUrl'>
type Props = { link: Shared | null; websites: string[]; onClose: () => void }

/** The link's URL and QR code, with an optional page and UTM parameters. */
export const ShareLink = ({ link, websites, onClose }: Props) => (
  <Dialog
    open={link !== null}
    onOpenChange={(open) => !open && onClose()}
    title="Share this link"
    description={`Link to any page of the site. Keep ?aff=${link?.aff ?? ''} in the URL.`}
  >
    {link && <Builder key={link.id} link={link} websites={websites} />}
  </Dialog>
)

const FIELDS = [
  { name: 'source', label: 'UTM source', placeholder: 'newsletter' },
  { name: 'medium', label: 'UTM medium', placeholder: 'email' },
  { name: 'campaign', label: 'UTM campaign', placeholder: 'spring' },
  { name: 'content', label: 'UTM content', placeholder: 'banner' },
  { name: 'term', label: 'UTM term', placeholder: 'running shoes' },
] as const satisfies { name: UtmName; label: string; placeholder: string }[]

const MAX_UTM = 200

const pageError = (page: string | undefined, websites: string[]) => {
  if (!page?.trim()) return null
  if (originOf(page) === null) return `Enter a full URL, for example ${websites[0] ?? 'https://example.com'}/pricing.`
  return isOnWebsites(page, websites) ? null : `This page is not on ${websites.join(' or ')}.`
}

const Builder = ({ link: { aff, destinationUrl }, websites }: { link: Shared; websites: string[] }) => {
  const started = destinationOf(destinationUrl, websites) ?? ''
  const [options, setOptions] = useState<ShareOptions>({ page: started })
  // A link to another site, created before the websites were set, can still be shared.
  const error = options.page === started ? null : pageError(options.page, websites)
  const address = error ? null : shareAddress({ aff, destinationUrl, websites }, options)
  const set = (change: ShareOptions) => setOptions({ ...options, ...change })
  return (
    <div className="flex flex-col gap-4">
      <Field label="Page" error={error}>
        {(wiring) => (
          <Input
            {...wiring}
            type="url"
            value={options.page}
            placeholder="https://example.com/"
            onChange={(event) => set({ page: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 items-end gap-x-2 gap-y-3 sm:grid-cols-3">
        {FIELDS.map(({ name, label, placeholder }) => (
          <Field key={name} label={label}>
            {(wiring) => (
              <Input
                {...wiring}
                placeholder={placeholder}
                maxLength={MAX_UTM}
                autoComplete="off"
                onChange={(event) => set({ [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      {address && (
        <div className="flex flex-col gap-3 rounded-lg border border-line bg-sunken p-3 sm:flex-row sm:items-center">
          <div className="w-32 shrink-0 self-center">
            <Suspense fallback={<Skeleton className="aspect-square w-full" />}>
              <SharedQrCode address={address} aff={aff} />
            </Suspense>
          </div>
          <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
            <code className="break-all font-mono text-xs">{address}</code>
            <div className="flex flex-wrap gap-2">
              <NativeShare address={address} />
              <CopyButton text={address} label="Copy link" look="secondary" />
            </div>
          </div>
        </div>
      )}
    </div>
  )
}
