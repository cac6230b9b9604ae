/**
 * Common components of passwords, lower case and letters only. They are words and names that lead every published
 * count of leaked passwords, in the languages that appear there, compiled manually from common knowledge.
 * `looksLikeLetter` of the rule maps `p@ssw0rd` to them.
 */
export const commonWords: readonly string[] = `
  access account adidas admin administrator alexander alexandra amanda andrea andrew angel angela anthony apple arsenal
  ashley asshole august austin azerty banana barcelona baseball basketball batman beautiful beauty bismillah blessed
  blink brandon brittany brooklyn butterfly camille caroline change changeme charlie charlotte chelsea cheese chicken
  chocolate chris christ christian christine christopher computer contrasena cookie corvette cowboys crystal daniel
  danielle december default demo diablo diamond dolphin dragon eagles elephant elizabeth eminem estrella everton
  facebook family fender ferrari fishing flower football forever formula freedom friend friends fuck fucking gabriel
  garfield gateway gemini george ginger girl godisgood golden google guest guitar hallo hannah happy hardcore harley
  hello hellokitty hockey hola home honey hunter iloveyou incorrect india indonesia instagram internet jackson january
  jasmine jasper jennifer jessica jesus jesuschrist jonathan jordan joseph joshua junior justin killer kitten lakers
  lauren leave letme letmein linkedin linkinpark liverpool login london lovely loveme love lover lovers lucky madison
  magic manchester manunited maria marlboro marina martin marseille maverick mercedes metallica michael michelle
  microsoft miguel minecraft mobile monday money monica monkey monster mother motorola music mustang myspace mylove
  mynoob mypassword naruto natalie natasha never newpass newpassword nicholas nicole nirvana november october onelove
  orange pass passer passion passme passport passwd passwort password passwords patrick peanut pepper phoenix pikachu
  playboy please pokemon porsche portugal precious princess private princesa purple qwerty qwertz ranger rangers
  rainbow realmadrid rebecca richard robert rocknroll rockstar ronaldo root roses samantha samsung sandra sarah school
  scorpion secret secure security september server sesame shadow shannon silver skywalker slipknot snoopy soccer
  sophie spiderman spongebob starwars startrek stephanie steven studio stem summer sunday sunflower sunshine super
  superman superstar supernova sweet sweetheart system taylor teacher teamo temp temporary tequiero test tester testing
  theman thomas thunder tiffany tigger trinity trust trustno twilight twitter user usuario valentina vanessa veronica
  victoria viking vincent volleyball warcraft warrior webmaster welcome whatever william winner winter wizard wolf
  wordpass world xbox yankees yellow you your youtube zaq zxcvbn i a me my is the it in no
  april autumn easter february fall friday july june march may spring thursday tuesday wednesday birthday christmas
  halloween holiday vacation automne dezember dienstag donnerstag ete februar freitag fruehling frühling herbst hiver
  invierno januar juli juni märz mittwoch montag oktober printemps primavera samstag sommer sonntag verano weihnachten
  été america australia austria bitcoin brazil canada china company corona covid deutschland england espana france
  germany italia italy japan mexico motdepasse newyork poland schatz spain
`
  .trim()
  .split(/\s+/);

/** Rows of keyboards and counting sequences; any stretch of three or more characters is a walk. */
export const walks: readonly string[] = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]asdfghjkl;zxcvbnm,./',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'asdfghjkl',
  'zxcvbnm',
  '!@#$%^&*()_+',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  'zaqxswcdevfrbgtnhymju',
  'zaq12wsxcde34rfvbgt56yhn',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8i9j0',
  '1a2b3c4d5e6f7g8h9i0j',
  'aabbccddeeffgghh',
  '112233445566778899',
  '147258369',
  '159357',
  '741852963',
  '789456123',
  'йцукенгшщзхъфывапролджэячсмитьбю',
];
