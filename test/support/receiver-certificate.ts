/** A self-signed certificate for `receiver.example`, valid for a hundred years. Made for tests; guards nothing. */
const pem = (label: string, base64: string): string =>
  `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;

export const receiverKey = pem(
  'PRIVATE KEY',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrfxxmyy7KyD4fl8wu1bvtC7LG/EdjVdJArd4z64qZPShRANCAAS/FLGVyz98HQEzi73oR2x0iLgj9w/aM+pRfDLdtrjRrdiVTiPYfwKy1VGIFH5JRuI5YqVundu9Od0P21/p1XAP',
);
export const receiverCertificate = pem(
  'CERTIFICATE',
  'MIIBqTCCAVCgAwIBAgIUL6AEP5970zzp0IoJQVACH9IHOOkwCgYIKoZIzj0EAwIwGzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTAgFw0yNjExMjExNDQ5NDFaGA8yMTI2MTAyODE0NDk0MVowGzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABL8UsZXLP3wdATOLvehHbHSIuCP3D9oz6lF8Mt22uNGt2JVOI9h/ArLVUYgUfklG4jlipW6d27053Q/bX+nVcA+jcDBuMB0GA1UdDgQWBBQ2yMtoIkbPDhnCiXzBv5R+qbo47TAfBgNVHSMEGDAWgBQ2yMtoIkbPDhnCiXzBv5R+qbo47TAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHJlY2VpdmVyLmV4YW1wbGUwCgYIKoZIzj0EAwIDRwAwRAIgH4rZqVoFWbNcQspJcRZreJzgq+dnVSdRmHghXHzIW7ECID92+WVuSywvC39IH8n5wDQBDZaJ676Vc5ZCCUfngVlu',
);
