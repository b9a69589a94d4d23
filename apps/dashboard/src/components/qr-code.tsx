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

const PNG_PIXELS = 1024

/** Whole pixels per module, so that edges stay sharp in print. */
export const qrPng = (text: string) => {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const scale = Math.max(1, Math.floor(PNG_PIXELS / size))
  const canvas = Object.assign(document.createElement('canvas'), { width: size * scale, height: size * scale })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('Your browser can’t create PNG files. Download the SVG instead.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  for (const [y, row] of data.entries())
    for (const [x, dark] of row.entries()) if (dark) context.fillRect(x * scale, y * scale, scale, scale)
  return new Promise<Blob>((resolve, reject) =>
    canvas.toBlob((file) => (file ? resolve(file) : reject(new Error('The PNG file could not be created.')))),
  )
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
