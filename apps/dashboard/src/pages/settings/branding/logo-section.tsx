import type { Branding } from '@tributary/contract'
import { LOGO_TYPES, MAX_LOGO_BYTES } from '@tributary/contract/branding-limits'
import { Upload } from 'lucide-react'
import { useChange, useUpload } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { BrandLogo } from '~/components/brand.tsx'
import { Button } from '~/components/controls/button.tsx'
import { FileButton } from '~/components/controls/file-button.tsx'
import { formatBytes } from '~/components/format/format.ts'
import { toast } from '~/components/overlays/toast.tsx'
import { Section } from '../section.tsx'

const LOGO = '/api/programs/{programId}/branding/logo'

/** Uploading saves immediately, unlike the form below. */
export const LogoSection = ({ branding, disabled }: { branding: Branding; disabled: boolean }) => {
  const { program } = useProgram()
  const place = { programId: program.id }
  const save = useUpload(`put ${LOGO}`, () => place)
  const remove = useChange(`delete ${LOGO}`, place)
  const upload = (logo: File) => {
    if (logo.size > MAX_LOGO_BYTES)
      return toast.failed(`The logo is larger than ${formatBytes(MAX_LOGO_BYTES)}. Choose a smaller image.`)
    save.mutate(logo, { onSuccess: () => toast.done('Logo saved.'), onError: toast.failed })
  }
  return (
    <Section title="Logo" description="PNG, JPEG or WebP, at most 256 KB. Wide logos work too." disabled={disabled}>
      <div className="flex flex-wrap items-center gap-4">
        <span className="grid h-16 min-w-16 place-items-center rounded-lg border border-line bg-sunken px-3">
          <BrandLogo brand={branding} className="h-9" />
        </span>
        <div className="flex flex-wrap gap-2">
          <FileButton accept={LOGO_TYPES.join(',')} busy={save.isPending} disabled={disabled} onFile={upload}>
            <Upload aria-hidden /> {branding.logoUrl ? 'Replace logo' : 'Upload logo'}
          </FileButton>
          {branding.logoUrl && (
            <Button
              look="quiet"
              disabled={disabled || save.isPending || remove.isPending}
              onClick={() => remove.mutate({}, { onSuccess: () => toast.done('Logo removed.'), onError: toast.failed })}
            >
              Remove logo
            </Button>
          )}
        </div>
      </div>
    </Section>
  )
}
