/** Style sheets are taken in by Vite. */
declare module '*.css';
