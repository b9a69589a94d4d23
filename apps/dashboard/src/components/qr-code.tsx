import { useMemo } from 'react'
import { encode } from 'uqr'

const QUIET_ZONE = 2

/** One path stays sharp at any size. Black on white in both themes, as scanners expect. */
export const qrPath = (text: string) => {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { path, size }
}

export const qrSvg = (text: string) => {
  const { path, size } = qrPath(text)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><rect width="100%" height="100%" fill="#fff"/><path d="${path}"/></svg>`
}

export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { path, size } = useMemo(() => qrPath(text), [text])
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} className="w-full rounded-lg border border-line">
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
