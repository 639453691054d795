-- Burns time in functions whose stacks are known; the profile is compared with them.
local function burn() for _ = 1, 20000 do end end
local function first() burn() end
local function tail() return first() end
local function calls_tail() tail() burn() end
local function fails() burn() error("no") end
local function catches() pcall(fails) burn() end
local function yields()
	while true do
		burn()
		coroutine.yield()
	end
end
local step = coroutine.wrap(yields)
local function resumes() step() burn() end
local function compare(a, b) burn() return a < b end
local function sorts() table.sort({ 2, 1, 3 }, compare) end
while true do
	first()
	calls_tail()
	catches()
	resumes()
	sorts()
end
