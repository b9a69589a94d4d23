import { Share2 } from 'lucide-react'
import { Button } from '~/components/controls/button.tsx'
import { toast } from '~/components/overlays/toast.tsx'

/** Closing the dialog without choosing an app is not a failure. */
const isDismissed = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** Opens the share dialog of the phone or computer. Browsers without one have the copy button next to it. */
export const NativeShare = ({ address }: { address: string }) => {
  if (typeof navigator.share !== 'function') return null
  const share = () =>
    navigator.share({ url: address }).catch((error: unknown) => {
      if (!isDismissed(error)) toast.failed(new Error('Your device could not share the link. Copy it instead.'))
    })
  return (
    <Button look="primary" size="small" onClick={() => void share()}>
      <Share2 aria-hidden /> Share link
    </Button>
  )
}
