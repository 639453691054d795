-- What to profile: functions, a method, a coroutine, an error.
local function fib(n)
	if n < 2 then return n end
	return fib(n - 1) + fib(n - 2)
end
local account = { total = 0 }
function account:add(n)
	self.total = self.total + fib(n)
end
local numbers = coroutine.wrap(function()
	while true do
		for i = 10, 18 do coroutine.yield(i) end
	end
end)
local function fails(n)
	error("no " .. fib(n))
end
while true do
	account:add(numbers())
	pcall(fails, 12)
	string.rep("x", 100000):gsub("x", "y")
end
