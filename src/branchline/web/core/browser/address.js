// Where this application is: at the root of its host, or below a path, which this script's own address shows. Whatever is
// asked for, and whatever is kept in a browser, is named by this: two of them at one host do not disturb each other.

const script = new URL(import.meta.url).pathname;

// What stands before every address: nothing, or "/branchline".
export const root = script.slice(0, script.lastIndexOf("/static/"));

// The address of a path of the application, which begins with "/".
export const address = (path) => root + path;

// The path of the application in an address; null where the address is none of it.
export const pathIn = (address) => (typeof address === "string" && address.startsWith(`${root}/`) ? address.slice(root.length) : null);

// The name under which something is kept in this browser: in its storage, as a database, a channel or a lock.
export const storedAs = (name) => (root ? `${root} ${name}` : name);

// Cookies of the server, which names them alike. No "/" can stand in such a name.
export const cookieName = (name) => `branchline_${name}${root.replaceAll("/", "~")}`;
export const cookiePath = root || "/";
