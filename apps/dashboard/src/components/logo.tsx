export const Logo = ({ className = 'size-6' }: { className?: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className={className}>
    <rect width="24" height="24" rx="6" className="fill-accent" />
    <path
      d="M7 5.5c0 4.5 5 4 5 8.5V19M17 5.5c0 3-5 3.5-5 8"
      fill="none"
      className="stroke-on-accent"
      strokeWidth="2.2"
      strokeLinecap="round"
    />
  </svg>
)
