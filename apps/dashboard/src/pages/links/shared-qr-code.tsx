import type { ReactNode } from 'react'
import { QrCode, qrSvg } from '~/components/qr-code.tsx'

type Props = { address: string; aff: string; downloadClass: string; children: ReactNode }

export const SharedQrCode = ({ address, aff, downloadClass, children }: Props) => (
  <div className="flex flex-col items-center gap-1">
    <QrCode text={address} label={`QR code of ${address}`} />
    <a
      href={`data:image/svg+xml,${encodeURIComponent(qrSvg(address))}`}
      download={`${aff}.svg`}
      className={downloadClass}
    >
      {children}
    </a>
  </div>
)
