import { Download } from 'lucide-react'
import { Button } from '~/components/controls/button.tsx'
import { saveFile } from '~/components/lists/download.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { QrCode, qrPng, qrSvg } from '~/components/qr-code.tsx'

type Props = { address: string; aff: string }

/** Drawn in the browser, so no other service learns the link. */
export const SharedQrCode = ({ address, aff }: Props) => {
  const savePng = async () => saveFile(await qrPng(address), `${aff}.png`)
  const saveSvg = () => saveFile(new Blob([qrSvg(address)], { type: 'image/svg+xml' }), `${aff}.svg`)
  return (
    <div className="flex flex-col items-center gap-1">
      <QrCode text={address} label={`QR code of ${address}`} />
      <div className="flex">
        <Button look="quiet" size="small" aria-label="Download PNG" onClick={() => void savePng().catch(toast.failed)}>
          <Download aria-hidden /> PNG
        </Button>
        <Button look="quiet" size="small" aria-label="Download SVG" onClick={saveSvg}>
          <Download aria-hidden /> SVG
        </Button>
      </div>
    </div>
  )
}
